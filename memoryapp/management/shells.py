"""The scripts that join a shell's completion to the command `complete`; each names the program `palimpsest` as well."""

from __future__ import annotations

from shlex import quote

BASH = """\
# Palimpsest in bash. Keep this as a file and read it in ~/.bashrc:  source ~/.palimpsest.bash
palimpsest() { {program} "$@"; }
_palimpsest() {
  local IFS=$'\\n'
  COMPREPLY=($({program} complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _palimpsest palimpsest manage.py
"""
ZSH = """\
# Palimpsest in zsh. Keep this as a file and read it in ~/.zshrc, after compinit:  source ~/.palimpsest.zsh
palimpsest() { {program} "$@"; }
_palimpsest() {
  local -a found
  found=("${(@f)$({program} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[1]}" ]]; then compadd -- "${found[@]}"; else _files; fi
}
compdef _palimpsest palimpsest manage.py
"""
FISH = """\
# Palimpsest in fish. Keep this as ~/.config/fish/conf.d/palimpsest.fish
function palimpsest
  {program} $argv
end
complete -c palimpsest -a '({escaped} complete -- (commandline -opc)[2..] (commandline -ct))'
complete -c manage.py -a '({escaped} complete -- (commandline -opc)[2..] (commandline -ct))'
"""
SHELLS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def script_for(shell: str, *, program: list[str]) -> str:
    """The script for one of SHELLS; `program` are the words that start the program, from any folder."""
    called = " ".join(map(quote, program))
    return SHELLS[shell].replace("{program}", called).replace("{escaped}", called.replace("'", "\\'"))
