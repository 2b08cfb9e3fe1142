/** Levels, in the order of the output. */
export const ADVICE_LEVELS = ['warning', 'info'] as const

export type AdviceLevel = (typeof ADVICE_LEVELS)[number]

/** Rules with their titles, in the order of the output. The ids are part of `[advise] ignore` and must stay. */
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

/** Something that the database lacks, with the remedy. */
export interface Advice {
  readonly rule: AdviceRule
  /** Object of the database: `post.author_id`. With the rule it identifies the advice: `index-relation:post.author_id`. */
  readonly subject: string
  readonly level: AdviceLevel
  /** Rank within the rule. Heavier advice comes first. */
  readonly weight: number
  readonly message: string
  /** SQL that follows the advice. Empty: it needs a decision, or the database has no statement for it. */
  readonly statements: readonly string[]
  /** Elements of the schema that profit, such as `Author.posts`. */
  readonly usedBy: readonly string[]
  readonly gain?: AdviceGain
}

/** Costs of a statement, as the planner of the database counts them. */
export interface AdviceGain {
  readonly costNow: number
  readonly costThen: number
  /** `hypopg`: the planner counted with a hypothetical index. `estimate`: computed from the number of rows. */
  readonly source: 'hypopg' | 'estimate'
}

/** Returns the text that identifies a piece of advice in `[advise] ignore`. */
export function adviceId({ rule, subject }: Pick<Advice, 'rule' | 'subject'>): string {
  return `${rule}:${subject}`
}

/** Sorts by level, rule and weight. */
export function rankAdvice(advice: readonly Advice[]): readonly Advice[] {
  return advice.toSorted(
    (a, b) =>
      ADVICE_LEVELS.indexOf(a.level) - ADVICE_LEVELS.indexOf(b.level) ||
      RULE_NAMES.indexOf(a.rule) - RULE_NAMES.indexOf(b.rule) ||
      b.weight - a.weight ||
      (a.subject < b.subject ? -1 : 1),
  )
}
