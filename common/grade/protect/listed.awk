# SPDX-License-Identifier: MIT
#
# listed.awk - reads accepted.txt, which is the first file that source.awk and symbols.awk get. An
# empty line ends a section; name* is a prefix.
FILENAME == ARGV[1] {
    if (/^\[/) {
        section = substr($0, 2, length($0) - 2)
    } else if ($0 == "" || section == "") {
        section = ""
    } else if (section == "instead") {
        list_words("instead " ++advices, substr($0, 1, index($0, ": ") - 1))
        advice[advices] = substr($0, index($0, ": ") + 2)
    } else {
        list_words(section, $0)
    }
    next
}

function list_words(section, words,   word, n, i) {
    n = split(words, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] ~ /[*]$/)
            prefix[section, ++prefixes[section]] = substr(word[i], 1, length(word[i]) - 1)
        else
            listed[section, word[i]] = 1
}

function is_listed(section, name,   i, begin) {
    for (i = 1; i <= prefixes[section]; i++) {
        begin = prefix[section, i]
        if (substr(name, 1, length(begin)) == begin)
            return 1
    }
    return (section, name) in listed
}

# What to write instead of a name that is refused.
function what_instead(name,   i) {
    for (i = 1; i < advices && !is_listed("instead " i, name); i++)
        ;
    return advice[i]
}
