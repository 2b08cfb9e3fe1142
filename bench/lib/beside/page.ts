import { renderLoaded } from '../circumstances.ts'
import type { Circumstances } from '../results.ts'
import { formatNumber, numeric, renderTable } from '../table.ts'
import type { Facts } from './facts.ts'
import type { FirstAnswer } from './servers.ts'

/** One server of the page with everything that was measured and read from it. */
export interface BesideRow extends FirstAnswer {
  readonly name: string
  readonly version: string
  readonly command: string
  readonly facts: Facts
  /** Paths of its OpenAPI document; 0: it serves none. */
  readonly restPaths: number
  /** Does it serve a query editor to a browser? */
  readonly editor: boolean
}

const yes = (has: boolean): string => (has ? 'yes' : 'no')

const LINES: readonly (readonly [string, (row: BesideRow) => string])[] = [
  ['tables with a type', ({ facts }) => String(facts.tables)],
  ['queries for one row by a key', ({ facts }) => String(facts.rowsByKey)],
  ['queries for a list', ({ facts }) => String(facts.lists)],
  ['relations to one row', ({ facts }) => String(facts.toOne)],
  ['relations to many rows', ({ facts }) => String(facts.toMany)],
  ['of these through a join table', ({ facts }) => String(facts.manyToMany)],
  [
    'operators in a filter on a text',
    ({ facts }) => (facts.textOperators === 0 ? 'equality only' : String(facts.textOperators)),
  ],
  ['filters that follow relations', ({ facts }) => yes(facts.relationFilters)],
  ['sort keys of the longest list', ({ facts }) => String(facts.sortKeys)],
  ['total count of a list', ({ facts }) => yes(facts.totalCounts)],
  ['cursors', ({ facts }) => yes(facts.cursors)],
  ['aggregates', ({ facts }) => yes(facts.aggregates)],
  ['global object ids (`node`)', ({ facts }) => yes(facts.node)],
  ['mutations', ({ facts }) => String(facts.mutations)],
  ['subscriptions', ({ facts }) => String(facts.subscriptions)],
  ['REST paths in an OpenAPI document', ({ restPaths }) => String(restPaths)],
  ['query editor', ({ editor }) => yes(editor)],
]

/** Table of what each server serves. */
export function renderServed(rows: readonly BesideRow[]): string {
  return renderTable(
    [{ title: 'by introspection' }, ...rows.map(({ name }) => ({ title: name, align: 'right' as const }))],
    LINES.map(([title, cell]) => [title, ...rows.map(cell)]),
  )
}

/** Table of the first answers. */
export function renderFirstAnswers(rows: readonly BesideRow[]): string {
  return renderTable(
    [{ title: 'server' }, { title: 'command' }, ...numeric('first answer s', 'processor s', 'MiB')],
    rows.map(({ name, command, ms, processorMs, mib }) => [
      name,
      `\`${command}\``,
      formatNumber(ms / 1000, 1),
      formatNumber(processorMs / 1000, 1),
      formatNumber(mib),
    ]),
  )
}

export type BesideResults = Circumstances & {
  readonly rounds: number
  readonly load: number
  readonly rows: readonly BesideRow[]
}

/** The generated parts of docs/explain/beside-postgraphile.md, by the name of their markers. */
export function renderBeside(results: BesideResults): ReadonlyMap<string, string> {
  const versions = [...new Set(results.rows.map(({ version }) => version))].join('; ')
  return new Map([
    ['beside-answer', `${renderLoaded(renderFirstAnswers(results.rows), results)}\n<sub>${versions}.</sub>`],
    ['beside-served', renderServed(results.rows)],
  ])
}
