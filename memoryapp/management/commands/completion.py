from __future__ import annotations

from argparse import ArgumentParser
from shlex import quote
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.program import program_words

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


class Command(PalimpsestCommand):
    help = (
        "Print a script that completes commands, verbs, options, spaces and strategies in your shell, and that calls "
        "this program “palimpsest” there."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("shell", choices=list(SHELLS))

    def act(self, **options: Any) -> None:
        script = script_for(options["shell"], program=program_words())
        if options["json"]:
            self.print_json({"shell": options["shell"], "script": script})
        else:
            self.stdout.write(script, ending="")
