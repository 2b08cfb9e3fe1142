import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { ADVICE_RULES, type Advice, adviceId, RULE_NAMES } from './advice.ts'

export interface SplitAdvice {
  readonly advice: readonly Advice[]
  readonly ignored: readonly Advice[]
  /** Entries of `[advise] ignore` that match nothing. */
  readonly unused: readonly string[]
}

/** @throws SvcError SVC_CONFIG_INVALID: an entry of `[advise] ignore` names no rule, or no subject */
export function checkIgnored(entries: readonly string[], file: string): void {
  for (const entry of entries) {
    const at = entry.indexOf(':')
    const rule = at < 0 ? entry : entry.slice(0, at)
    const where = `${file}: advise.ignore: "${entry}"`
    if (!Object.hasOwn(ADVICE_RULES, rule))
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        `${where}: there is no advice "${rule}".${didYouMean(rule, RULE_NAMES)} Advice: ${listNames(RULE_NAMES)}`,
      )
    if (at < 0 || at === entry.length - 1)
      throw new SvcError(
        'SVC_CONFIG_INVALID',
        `${where} lacks the subject. Copy the whole id from the output: ${rule}:post.author_id`,
      )
  }
}

/** Takes out the advice that the project ignores. */
export function splitIgnored(found: readonly Advice[], entries: readonly string[]): SplitAdvice {
  const ids = new Set(found.map(adviceId))
  const isIgnored = (advice: Advice): boolean => entries.includes(adviceId(advice))
  return {
    advice: found.filter((one) => !isIgnored(one)),
    ignored: found.filter(isIgnored),
    unused: entries.filter((entry) => !ids.has(entry)),
  }
}
