# SPDX-License-Identifier: MIT
#
# wrap.awk - for messages: a line of more than 80 columns goes on below, `indent` spaces in (4). Words
# stay whole, and so do lines that begin with a space or a |: code, lists, tables.
#
#   ... | awk -f common/wrap.awk

BEGIN { margin = indent == "" ? 4 : indent }
/^[ |]/ { print; next }
{
    for (from = 1; length($0) > 80; from = margin + 1) {
        for (at = 81; at > from && substr($0, at, 1) != " "; at--);
        if (at == from) { # a word that is longer
            for (at = 81; at <= length($0) && substr($0, at, 1) != " "; at++);
            if (at > length($0)) break
        }
        print substr($0, 1, at - 1)
        $0 = sprintf("%" margin "s", "") substr($0, at + 1)
    }
    print
}
