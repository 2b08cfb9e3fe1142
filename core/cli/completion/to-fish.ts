import type { CommandWords } from './words.ts'

/** One `complete` per command and per flag. */
export function toFish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, summary, flags, choices }) => {
    const inCommand = `complete -c svc -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c svc -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...flags.map(({ names, takesValue, description }) => {
        const spelt = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
        return `${inCommand} ${spelt.join(' ')}${takesValue ? ' -r' : ''} -d ${quote(description)}`
      }),
      ...(choices.length === 0 ? [] : [`${inCommand} -f -a '${choices.join(' ')}'`]),
    ]
  })
  return ['# fish completion for svc, written by svc completion fish.', ...lines, ''].join('\n')
}

const quote = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
