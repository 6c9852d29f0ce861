# Completions of profan for bash.

_profan_words() {
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# Words with commas between them.
_profan_list() {
    local before=
    [[ $cur != *,* ]] || before=${cur%,*},
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
}

_profan_paths() {
    local path
    compopt -o filenames 2>/dev/null
    while IFS= read -r path; do
        COMPREPLY+=("$path")
    done < <(compgen "$1" -- "$cur")
}

# What follows diff: its options, and files of both sides.
_profan_diff() {
    case $before in
@DIFF_VALUES@
    esac
    if [[ $cur == -* ]]; then
        _profan_words '@DIFF_OPTIONS@'
        return
    fi
    _profan_paths -f
}

_profan() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    # bash takes --color=always apart at its sign.
    if [[ $cur == = ]]; then
        cur= before=$before=
    elif [[ $before == = && COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}=
    fi
    if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in
@AFTER_WORDS@
        esac
    fi
    case $before in
@VALUES@
    esac
    if [[ $cur == -* ]]; then
        _profan_words '@OPTIONS@'
        return
    fi
    ((COMP_CWORD > 1)) || _profan_words '@WORDS@'
    _profan_paths -f
}

complete -F _profan profan
