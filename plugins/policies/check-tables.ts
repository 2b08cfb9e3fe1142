import { expressions } from '../../core/doors/front.ts'
import { didYouMean, listNames } from '../../core/doors/plugin.ts'
import type { PolicyEntry, PolicyTables, RuleEntry } from './options.ts'
import { parseRule, type RuleTree } from './rule-tree.ts'

/** How a policy decides, besides roles: by a rule (`tree`) or by a function of the author. */
export type Source = { readonly tree: RuleTree; readonly rule: RuleEntry | null } | { readonly function: string }

/** A policy of the configuration, or a rule used as a policy, whose names of rules and functions were found. */
export interface ResolvedPolicy {
  readonly name: string
  readonly roles: readonly string[] | null
  readonly strategy: 'any' | 'all' | 'exactly'
  readonly source: Source | null
  /** Lifetime of a cached decision in seconds; 0: not cached. */
  readonly ttl: number
}

/** Reports a problem in `[[security.rules]]` or `[[security.policies]]`. @param id kind of problem */
export type Say = (id: string, message: string) => void

/**
 * Checks the policies and rules of the configuration, and finds the rules and functions that they name.
 * @param functions names of the author's policy functions
 * @returns the valid policies by name
 */
export function resolveTables(
  { rules, policies }: PolicyTables,
  functions: ReadonlySet<string>,
  say: Say,
): ReadonlyMap<string, ResolvedPolicy> {
  const trees = new Map<string, { readonly tree: RuleTree; readonly rule: RuleEntry }>()
  const found = new Map<string, ResolvedPolicy>()
  const names = new Set<string>()
  const claim = (name: string, table: string): void => {
    if (names.has(name))
      say('twice', `[[security.${table}]] "${name}": there is another rule or policy of that name. Rename one.`)
    names.add(name)
  }
  for (const rule of rules) {
    claim(rule.name, 'rules')
    const tree = parse(rule.rule, `[[security.rules]] "${rule.name}"`, say)
    if (tree === null) continue
    trees.set(rule.name, { tree, rule })
    found.set(rule.name, { name: rule.name, roles: null, strategy: 'any', source: { tree, rule }, ttl: ttlOf(rule) })
  }
  for (const policy of policies) {
    claim(policy.name, 'policies')
    const label = `[[security.policies]] "${policy.name}"`
    const problem = shapeProblem(policy)
    if (problem !== null) say('policy', `${label}: ${problem}`)
    const source = policy.rule === undefined ? null : sourceOf(policy, policy.rule, label)
    const { name, roles = null, strategy = 'any' } = policy
    if (problem === null && (policy.rule === undefined || source !== null)) {
      found.set(name, { name, roles, strategy, source, ttl: policy.cache_ttl_seconds ?? 0 })
    }
  }
  return found

  function sourceOf({ type }: PolicyEntry, rule: string, label: string): Source | null {
    const named = trees.get(rule)
    if (named !== undefined) return named
    if (functions.has(rule)) {
      if (type === 'custom') return { function: rule }
      say('policy', `${label}: "${rule}" is a function, which decides in policies of type "custom".`)
      return null
    }
    if (/^[A-Za-z_][\w-]*$/.test(rule)) {
      const known = [...trees.keys(), ...functions]
      say(
        'policy',
        `${label}: there is no rule or function "${rule}".${didYouMean(rule, known) || ` There is: ${listNames(known)}.`}`,
      )
      return null
    }
    const tree = parse(rule, label, say)
    return tree === null ? null : { tree, rule: null }
  }
}

function ttlOf({ cacheable, cache_ttl_seconds: ttl = 0 }: RuleEntry): number {
  return cacheable === false ? 0 : ttl
}

function shapeProblem({ type, roles, strategy, rule }: PolicyEntry): string | null {
  const wantsRoles = type === 'rbac' || type === 'hybrid'
  if (wantsRoles && roles === undefined) return `type "${type}" decides by roles. Write roles = ["…"].`
  if (!wantsRoles && roles !== undefined)
    return `type "${type}" does not look at roles. Drop them, or write type = "hybrid".`
  if (!wantsRoles && strategy !== undefined) return `strategy is about roles, and type "${type}" has none. Drop it.`
  if (type !== 'rbac' && rule === undefined) return `type "${type}" decides by a rule. Write rule = "…".`
  if (type === 'rbac' && rule !== undefined)
    return 'type "rbac" decides by roles alone. Drop rule, or write type = "hybrid".'
  return null
}

function parse(source: string, label: string, say: Say): RuleTree | null {
  try {
    return parseRule(source)
  } catch (error) {
    if (!(error instanceof expressions.ExpressionFault)) throw error
    say('rule', `${label}: ${error.message}. In: ${source}`)
    return null
  }
}
