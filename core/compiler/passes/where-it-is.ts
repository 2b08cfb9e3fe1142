import { splitDatabase } from '../../base/util/database-name.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { Catalog } from '../../contract/database.ts'

type Kind = 'relation' | 'function'

const NAMED: Readonly<Record<Kind, string>> = { relation: 'view or table', function: 'function' }

/**
 * Returns a suggestion for a view, table or function that was not found: the same name in another schema or database, a
 * similar name, or else a list of the existing names.
 * @returns sentences with a leading space, to append to a message
 */
export function whereItIs(catalog: Catalog, kind: Kind, name: string): string {
  const visible = namesOf(catalog, kind, 'visible')
  const outside = namesOf(catalog, kind, 'outside')
  const plain = name.replace(/\(.*$|"/gs, '').trim()
  const exact = plain === name ? undefined : [...visible, ...outside].find((one) => one === plain)
  if (exact !== undefined) return ` Write the name alone, without quotes and parentheses: "${exact}".`
  const bare = bareName(name)
  const [same, ...more] = [...visible, ...outside].filter((one) => one !== name && bareName(one) === bare)
  if (same !== undefined)
    return more.length === 0
      ? ` ${foundAt(same)}`
      : ` There are: ${listNames([same, ...more])}. Write the one that is meant.`
  const other: Kind = kind === 'relation' ? 'function' : 'relation'
  if (namesOf(catalog, other, 'visible').includes(name)) {
    return ` "${name}" is a ${NAMED[other]}; ${kind === 'relation' ? 'rows are read from a view or table' : 'a mutation calls a function'}.`
  }
  const near = didYouMean(name, visible) || nearOutside(name, outside)
  if (near !== '') return near
  const there = visible.length > 0 ? visible : outside
  return there.length === 0 ? ' It has none.' : ` It has: ${listNames(there)}.`
}

function namesOf({ allRelations, allFunctions, elsewhere }: Catalog, kind: Kind, where: 'visible' | 'outside') {
  if (where === 'visible') return kind === 'relation' ? allRelations : allFunctions
  return (kind === 'relation' ? elsewhere?.relations : elsewhere?.functions) ?? []
}

function foundAt(found: string): string {
  const { database, name } = splitDatabase(found)
  const dot = name.indexOf('.')
  const write = `write sql_source: "${found}"`
  if (dot >= 0) {
    const schema = name.slice(0, dot)
    const of = database === undefined ? '' : ` of the database "${database}"`
    return `It is in the schema "${schema}"${of}, which is not on the search path: ${write}, or put the schema on the search_path of the role that svc connects as.`
  }
  return database === undefined ? `There is "${found}": ${write}.` : `It is in the database "${database}": ${write}.`
}

/**
 * Suggests a name of another schema. When the full names are too different, the name is compared without schemas, so
 * that a long schema name does not hide a match.
 */
function nearOutside(name: string, outside: readonly string[]): string {
  const whole = didYouMean(name, outside)
  if (whole !== '' || splitDatabase(name).name.includes('.')) return whole
  const byBare = new Map(outside.map((one) => [bareName(one), one]))
  return didYouMean(name, byBare.keys()).replace(/"(.*)"/, (_, bare: string) => `"${byBare.get(bare)}"`)
}

function bareName(written: string): string {
  const { name } = splitDatabase(written)
  return name.slice(name.indexOf('.') + 1)
}
