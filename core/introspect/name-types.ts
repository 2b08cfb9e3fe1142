import type { ModelRelation } from '../contract/database-model.ts'
import { pluralOf, singularOf } from './names/inflect.ts'
import { NameTable } from './names/name-table.ts'
import { toCamelCase, toPascalCase, wordsOf } from './names/words.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'
import { overrideOf, qualified } from './qualified.ts'
import { clashesWith, isReservedType } from './reserved-names.ts'

/** Prefixes of sources by svc's convention, and the usual one of tables. */
const PREFIX = /^(?:v|tv|tb|tbl|va|ta|rv|vr)_(?=.)/i

/**
 * Chooses unique type names for tables and views. Those on the search path are named first, so that `public.user`
 * becomes `User` and `auth.user` becomes `AuthUser`.
 * @param report receives the types whose name had to be changed to be unique or valid
 */
export function nameTypes(
  relations: readonly ModelRelation[],
  { names }: ProposeOptions,
  report: ReportEntry[],
): ReadonlyMap<ModelRelation, string> {
  const given = new Set<string>()
  const table = new NameTable((name) => isReservedType(name) || clashesWith(name, given))
  const found = new Map<ModelRelation, string>()
  const overrides = relations.flatMap((relation) => {
    const name = overrideOf(names?.types, relation)
    return name === undefined ? [] : [[relation, name] as const]
  })
  for (const [relation, name] of overrides) {
    const claimed = table.claim(name)
    given.add(claimed)
    found.set(relation, claimed)
    if (claimed !== name) report.push({ kind: relation.kind, name: qualified(relation), newName: claimed })
  }
  for (const relation of inOrder(relations)) {
    if (found.has(relation)) continue
    const candidates = candidatesOf(relation)
    const claimed = table.claim(...candidates)
    given.add(claimed)
    found.set(relation, claimed)
    if (claimed !== candidates[0] || !isPlain(relation.name))
      report.push({ kind: relation.kind, name: qualified(relation), newName: claimed })
  }
  return found
}

/** Converts a type's name to a name for a field or query that returns a list: `OrderItem` → `orderItems`. */
export function pluralNameOf(type: string): string {
  const words = wordsOf(type)
  return toCamelCase([...words.slice(0, -1), pluralOf(words.at(-1) ?? '')])
}

/** Converts a type's name to a name for a field or query that returns one row: `OrderItem` → `orderItem`. */
export function singularNameOf(type: string): string {
  return toCamelCase(wordsOf(type))
}

function candidatesOf({ schema, name, visible }: ModelRelation): [string, ...string[]] {
  const stripped = singular(wordsOf(name.replace(PREFIX, '')))
  const whole = singular(wordsOf(name))
  const owner = schema === undefined ? [] : wordsOf(schema)
  const first = toPascalCase(stripped) || 'Table'
  const inSchema = toPascalCase([...owner, ...stripped])
  const own = [toPascalCase(whole), toPascalCase(wordsOf(name)), `${first}Record`]
  const others = visible ? [...own, inSchema] : [inSchema, ...own]
  return [first, ...others.filter((one) => one !== '')]
}

function singular(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  return last === undefined ? [] : [...words.slice(0, -1), singularOf(last)]
}

/**
 * Sorts relations by the right to the plain name: visible ones first, names that need quotes last, a table `tb_user`
 * after the view `v_user`.
 */
function inOrder(relations: readonly ModelRelation[]): readonly ModelRelation[] {
  const rank = ({ visible, name }: ModelRelation): number =>
    (visible ? 0 : 8) + (isPlain(name) ? 0 : 4) + (/[A-Z]/.test(name) ? 2 : 0) + (/^tbl?_/i.test(name) ? 1 : 0)
  return relations
    .map((relation, i) => ({ relation, i }))
    .sort((a, b) => rank(a.relation) - rank(b.relation) || a.i - b.i)
    .map(({ relation }) => relation)
}

/** Does the convention alone lead from the name to the type? */
function isPlain(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name)
}
