import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import { ADVICE_RULES, type Advice, adviceId, RULE_NAMES } from './advice.ts'

export interface SplitAdvice {
  readonly advice: readonly Advice[]
  readonly ignored: readonly Advice[]
  /** Entries of `[advise] ignore` that match no advice any more, so that the user can delete them. */
  readonly unused: readonly string[]
}

/**
 * Checks that each entry of `[advise] ignore` is an existing rule and a subject: `rule:subject`.
 * @param file the configuration file, for the message
 * @throws SvcError SVC_CONFIG_INVALID: an entry has another form, or names a rule that does not exist
 */
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

/**
 * Separates advice whose id is in `[advise] ignore` from the other advice.
 * @param entries the ids in `[advise] ignore`
 */
export function splitIgnored(found: readonly Advice[], entries: readonly string[]): SplitAdvice {
  const ids = new Set(found.map(adviceId))
  const isIgnored = (advice: Advice): boolean => entries.includes(adviceId(advice))
  return {
    advice: found.filter((one) => !isIgnored(one)),
    ignored: found.filter(isIgnored),
    unused: entries.filter((entry) => !ids.has(entry)),
  }
}
