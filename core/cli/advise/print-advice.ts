import {
  ADVICE_LEVELS,
  ADVICE_RULES,
  type Advice,
  type AdviceGain,
  type AdviceLevel,
  adviceId,
  RULE_NAMES,
} from '../../advise/advice.ts'
import type { SplitAdvice } from '../../advise/ignored-advice.ts'

/** Pieces of advice of one rule that are shown without `--all`. */
const SHOWN = 20
/** Elements of the schema that a line names. */
const NAMES = 4

/**
 * Formats the output of `svc advise` for the terminal, grouped by severity and rule.
 * @param all `true`: prints all advice of a rule, not only the first 20
 * @param notes lines to print at the end
 */
export function printAdvice({ advice, ignored, unused }: SplitAdvice, all: boolean, notes: readonly string[]): string {
  const lines: string[] = []
  for (const level of ADVICE_LEVELS) {
    for (const rule of RULE_NAMES) {
      const group = advice.filter((one) => one.rule === rule && one.level === level)
      if (group.length === 0) continue
      const shown = all ? group : group.slice(0, SHOWN)
      lines.push(`${ADVICE_RULES[rule]} (${level}, ${group.length})`, ...shown.flatMap(print))
      if (shown.length < group.length) lines.push(`  and ${group.length - shown.length} more; all of them: --all`)
      lines.push('')
    }
  }
  const counts = countLevels(advice)
  const sum = ADVICE_LEVELS.map((level) => `${counts[level]} ${level}`).join(', ')
  lines.push(`${sum}${ignored.length === 0 ? '' : `, ${ignored.length} ignored`}.`, ...notes)
  if (unused.length > 0)
    lines.push('[advise] ignore has entries that no longer apply; remove them:', ...unused.map((entry) => `  ${entry}`))
  return `${lines.join('\n')}\n`
}

function print(advice: Advice): readonly string[] {
  const { message, statements, usedBy, gain } = advice
  const more = usedBy.length > NAMES ? ` and ${usedBy.length - NAMES} more` : ''
  return [
    `  ${adviceId(advice)}`,
    `    ${message}.`,
    ...(usedBy.length === 0 ? [] : [`    Used by ${usedBy.slice(0, NAMES).join(', ')}${more}.`]),
    ...(gain === undefined ? [] : [`    ${printGain(gain)}`]),
    ...statements.map((statement) => `    ${statement}`),
  ]
}

function printGain({ costNow, costThen, source }: AdviceGain): string {
  if (costThen >= costNow)
    return `Cost by EXPLAIN: ${Math.round(costNow)}; an index gains nothing with the present rows.`
  const by = source === 'hypopg' ? 'planned with a hypothetical index' : 'estimated from the number of rows'
  return `Cost by EXPLAIN: ${Math.round(costNow)} now, ${Math.round(costThen)} with the index (${by}).`
}

export function countLevels(advice: readonly Advice[]): Readonly<Record<AdviceLevel, number>> {
  const count = (level: AdviceLevel): number => advice.filter((one) => one.level === level).length
  return { warning: count('warning'), info: count('info') }
}

/** Converts a piece of advice to its object in the output of `svc advise --json`, with keys in snake_case. */
export function adviceAsJson(advice: Advice): object {
  const { rule, subject, level, message, statements, usedBy, gain } = advice
  return {
    id: adviceId(advice),
    rule,
    subject,
    level,
    message,
    statements,
    used_by: usedBy,
    gain: gain === undefined ? null : { cost_now: gain.costNow, cost_then: gain.costThen, source: gain.source },
  }
}
