/** Severities of advice about the database, most severe first, as `svc advise` prints them. */
export const ADVICE_LEVELS = ['warning', 'info'] as const

export type AdviceLevel = (typeof ADVICE_LEVELS)[number]

/**
 * The kinds of advice of `svc advise`, by id, with the title of their group in the output. Do not change an id: users
 * write it in `[advise] ignore`.
 */
export const ADVICE_RULES = {
  'row-security-bypassed': 'Row-level security that does not apply',
  'index-relation': 'Relations without an index',
  'index-page': 'Pages without an index of their key',
  'index-lookup': 'Arguments of queries without an index',
  'missing-primary-key': 'Tables without a primary key',
  'missing-foreign-key': 'Columns that look like references, without a foreign key',
  'join-table-key': 'Tables of many-to-many relations that may hold a pair twice',
  'slow-view': 'Views that are slow by construction',
  'index-sort': 'Sorts without an index',
  'index-filter': 'Filters without an index',
  'index-pattern': 'Text filters without an index',
  'index-json': 'JSON filters without an index',
  'index-list': 'List filters without an index',
} as const

export type AdviceRule = keyof typeof ADVICE_RULES

export const RULE_NAMES = Object.keys(ADVICE_RULES) as readonly AdviceRule[]

/** One piece of advice of `svc advise`: a problem of the database, such as a missing index, with its remedy. */
export interface Advice {
  readonly rule: AdviceRule
  /**
   * Database object that the advice is about: `post.author_id`. Rule and subject together identify the advice:
   * `index-relation:post.author_id`.
   */
  readonly subject: string
  readonly level: AdviceLevel
  /** Importance among the advice of the same rule. Advice with a higher weight is printed first. */
  readonly weight: number
  readonly message: string
  /** SQL statements that apply the advice. Empty: a person has to decide, or the database has no statement for it. */
  readonly statements: readonly string[]
  /** Types, fields and queries of the schema that use the database object, such as `Author.posts`. */
  readonly usedBy: readonly string[]
  readonly gain?: AdviceGain
}

/**
 * Cost of a read without (`costNow`) and with the advised index (`costThen`), in the cost units of the database's
 * planner.
 */
export interface AdviceGain {
  readonly costNow: number
  readonly costThen: number
  /**
   * `hypopg`: the planner of PostgreSQL costed the statement with a hypothetical index. `estimate`: svc estimated the
   * cost from the number of rows.
   */
  readonly source: 'hypopg' | 'estimate'
}

/** Returns the id of a piece of advice, `rule:subject`. Users list these ids in `[advise] ignore` of svc.toml. */
export function adviceId({ rule, subject }: Pick<Advice, 'rule' | 'subject'>): string {
  return `${rule}:${subject}`
}

/** Sorts advice for the output: by severity, then by rule, then by weight. @returns a new list */
export function rankAdvice(advice: readonly Advice[]): readonly Advice[] {
  return advice.toSorted(
    (a, b) =>
      ADVICE_LEVELS.indexOf(a.level) - ADVICE_LEVELS.indexOf(b.level) ||
      RULE_NAMES.indexOf(a.rule) - RULE_NAMES.indexOf(b.rule) ||
      b.weight - a.weight ||
      (a.subject < b.subject ? -1 : 1),
  )
}
