import type { CommandWords } from './words.ts'

/** A function of zsh's own completion system: `compinit` comes first. */
export function toZsh(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, flags, choices }) => {
    const specs = flags.flatMap(({ names, takesValue, description }) =>
      names.map((one) => quote(`${one}[${literal(description)}]${takesValue ? ':value:_files' : ''}`)),
    )
    const argument = choices.length === 0 ? '*:file:_files' : `1:what:(${choices.join(' ')})`
    return `    ${name}) _arguments ${[...specs, quote(argument)].join(' ')} ;;`
  })
  return `#compdef svc
# zsh completion for svc, written by svc completion zsh.
_svc() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${cases.join('\n')}
  esac
}
compdef _svc svc
`
}

/** In a specification of `_arguments`, brackets, colons and backslashes mean something. */
const literal = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&')
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
