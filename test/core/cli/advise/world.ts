import { type Ran, runCommand } from '../../../helpers/run-command.ts'

/** A piece of advice in the JSON document. */
export interface AdviceEntry {
  readonly id: string
  readonly rule: string
  readonly subject: string
  readonly level: string
  readonly message: string
  readonly statements: readonly string[]
  readonly used_by: readonly string[]
  readonly gain: { readonly cost_now: number; readonly cost_then: number; readonly source: string } | null
}

export interface Advised {
  readonly ran: Ran
  readonly advice: readonly AdviceEntry[]
  /** Ids of the advice of the rules, in the order of the output. */
  ids(...rules: readonly string[]): readonly string[]
  /** @throws Error: there is no such advice */
  one(id: string): AdviceEntry
}

/** Runs `svc advise --json` in a folder. */
export async function advise(cwd: string, ...flags: readonly string[]): Promise<Advised> {
  const ran = await runCommand(cwd, 'advise', '--json', ...flags)
  const { advice, error } = JSON.parse(ran.out)
  if (advice === undefined) throw new Error(`${error?.message}\n${ran.err}`)
  const entries = advice as readonly AdviceEntry[]
  return {
    ran,
    advice: entries,
    ids: (...rules) => entries.filter(({ rule }) => rules.includes(rule)).map(({ id }) => id),
    one(id) {
      const found = entries.find((entry) => entry.id === id)
      if (found === undefined) throw new Error(`There is no ${id} in ${entries.map((entry) => entry.id).join(', ')}`)
      return found
    },
  }
}
