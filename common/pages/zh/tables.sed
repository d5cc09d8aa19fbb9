# SPDX-License-Identifier: MIT
#
# tables.sed - the words of the tables that tables.txt describes, in Chinese. What has no line here stays
# English.
/^<!-- table:/,/^<!-- \/table/{
s/^| step | operation | time, us | GB\/s | of peak | times \([0-9]*\) | times CUB |$/| 课 | 运算 | 时间，us | GB\/s | 占峰值 | 相对 \1 的倍数 | 相对 CUB 的倍数 |/
s/ GB at the peak of \([0-9]*\) GB\/s cannot take less than \([0-9.]*\) us; this lesson takes \([0-9.]*\) us (\([0-9.]*\) times that), at \([0-9-]*\) GB\/s\. / GB 的数据，按 \1 GB\/s 的峰值至少要 \2 us；这一课用了 \3 us（\4 倍），即 \5 GB\/s。/
s/The \([a-z0-9]*\) sum of \(2^[0-9]*\) elements, \(.*\), by `make bench`\.$/对 \2 个元素求 \1 的和，\3，由 `make bench` 测得。/
s/The \([a-z0-9]*\) gelu of \(2^[0-9]*\) elements, \(.*\), by `make bench`\.$/对 \2 个元素做 \1 的 GELU，\3，由 `make bench` 测得。/
s/^\(n = 2^[0-9]*\)\. Measured on an\{0,1\} \(.*\), \(CUDA .*\), \(.*\), by `make bench`; data in \(`.*`\)\.$/\1。在 \2 上测得，\3，\4，用 `make bench`；数据在 \5。/
s/^Measured on an\{0,1\} \(.*\), by `\(make ablate-[0-9]*\)`\. Instructions, requests, sectors and wavefronts: Nsight Compute, first launch, \(n = 2^[0-9]*\), for \([0-9,]*\) elements\. Data in \(`.*`\)\.$/在 \1 上测得，用 `\2`。指令、请求、扇区和 wavefront：Nsight Compute，第一次启动，\3，折合每 \4 个元素。数据在 \5。/
s/ of a copy |$/ 占拷贝的比例 |/
/^| | n = /{
s/ in L2, us |/（在 L2 中），us |/
s/, GB\/s |/，GB\/s |/
s/| instructions |/| 指令 |/
s/| shared wavefronts |/| 共享内存 wavefront |/
s/| global load requests |/| 全局内存读请求 |/
}
s/^| kernel |/| 核函数本身 |/
s/^| naive |/| 朴素（naive） |/
s/^| scalar loop |/| scalar loop：逐个元素的循环 |/
s/^| scalar: coarsening alone |/| scalar：只做线程粗化 |/
s/^| one pack: width alone |/| one pack：只加宽 |/
s/^| blocked: not coalesced |/| blocked：不合并 |/
s/^| \([0-9]*\) loads\{0,1\} in flight |/| \1 次读在途 |/
s/^| xor for down |/| 用 xor 代替 down |/
s/^| tree for the last \([0-9]*\) |/| 最后 \1 个用树形 |/
}
