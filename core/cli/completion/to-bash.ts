import { GLOBAL_OPTIONS } from '../parse-arguments.ts'
import type { CommandWords } from './words.ts'

/**
 * A function of bash 3.2 and later. Where it offers nothing (values of flags, arguments), `-o default` offers files.
 * Names are lower case, digits and dashes: nothing has to be quoted.
 */
export function toBash(commands: readonly CommandWords[]): string {
  const first = [...commands.map(({ name }) => name), ...GLOBAL_OPTIONS.map(({ name }) => `--${name}`)]
  const cases = commands.map(({ name, flags, choices }) => {
    const names = flags.flatMap((flag) => flag.names)
    const valued = flags.filter((flag) => flag.takesValue).flatMap((flag) => flag.names)
    return [
      `    ${name})`,
      `      flags="${names.join(' ')}"`,
      `      valued=" ${valued.join(' ')} "`,
      `      choices="${choices.join(' ')}"`,
      '      ;;',
    ].join('\n')
  })
  return `# bash completion for svc, written by svc completion bash.
_svc_complete() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" flags="" valued="" choices=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${first.join(' ')}" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$valued" in *" $before "*) return ;; esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) [ "$COMP_CWORD" -ne 2 ] || COMPREPLY=($(compgen -W "$choices" -- "$cur")) ;;
  esac
}
complete -o default -F _svc_complete svc
`
}
