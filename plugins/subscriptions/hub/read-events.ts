import {
  type ChangeEvent,
  readItems,
  readMembers,
  rootsOf,
  UNORDERED,
  writeMembers,
} from '../../../core/doors/front.ts'
import {
  type Exchange,
  errorAt,
  type MaybePromise,
  type Operation,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { RowChecks } from '../match/row-checks.ts'
import { subscriptionRoot } from '../match/subscription-root.ts'

export interface ReadEventsParts {
  readonly run: (exchange: Exchange, operation: Operation) => MaybePromise<Result>
  readonly authorize: (exchange: Exchange, operation: Operation) => MaybePromise<Operation>
  /** Entries of `errors`, as GraphQL shows them. */
  readonly render: (exchange: Exchange, error: unknown) => readonly unknown[]
  /** Rows that are gone are told though the database hides rows by itself. */
  readonly deletesPastRls: boolean
  readonly withheld: () => void
  /** A row was changed again, and is not what was asked for any more: its next event tells what it is. */
  readonly superseded: () => void
  readonly checks: RowChecks
}

/** Rows of one type, which are read together. */
interface Group {
  readonly type: string
  readonly isGone: boolean
  readonly ids: string[]
  readonly documents: string[]
  /** Which events: by index of the row. */
  readonly of: number[][]
}

/**
 * What events tell one who subscribed, as GraphQL responses: their rows are read again as this exchange may see them, those that
 * are gone from what is known of them, under the same rules.
 * @returns `null`: the row is not there, or may not be seen
 */
export async function readEvents(
  exchange: Exchange,
  operation: Operation,
  events: readonly ChangeEvent[],
  parts: ReadEventsParts,
): Promise<readonly (string | null)[]> {
  const { operation: model } = subscriptionRoot(operation.template)
  const named = model.replay ? withEventId : (text: string | null) => text
  const texts = new Array<string | null>(events.length).fill(null)
  for (const group of groupsOf(events, parts)) {
    if (group.isGone && (await mayBeHidden(exchange, operation, parts))) {
      for (const _ of group.ids) parts.withheld()
      continue
    }
    const { type, ids, documents, isGone } = group
    const beside = isGone ? [] : parts.checks.fields(type)
    const told = isGone ? { type, ids, documents } : { type, ids, beside }
    const asked: Operation = { ...operation, told }
    const result = await parts.run(exchange, asked)
    const rows = rowsOf(asked, result, ids.length, beside.length > 0)
    const responses = responsesOf(exchange, asked, result, rows, parts)
    for (const [at, indexes] of group.of.entries()) {
      const known = rows[at]!.beside
      for (const index of indexes) {
        const text = responses[at] ?? null
        const event = events[index]!
        if (text === null || known === null || parts.checks.holds(event, known)) texts[index] = named(text, event)
        else parts.superseded()
      }
    }
  }
  return texts
}

/** A row that changed twice is read once; one that is gone twice was two rows. */
function groupsOf(events: readonly ChangeEvent[], { withheld }: ReadEventsParts): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const [index, { kind, entityType, entityId, before }] of events.entries()) {
    if (entityType === null || entityId === null) continue
    const isGone = kind === 'DELETE'
    if (isGone && before === null) {
      withheld()
      continue
    }
    const key = `${isGone ? '-' : '+'}${entityType}`
    const group: Group = groups.get(key) ?? { type: entityType, isGone, ids: [], documents: [], of: [] }
    groups.set(key, group)
    const known = isGone ? -1 : group.ids.indexOf(entityId)
    if (known !== -1) {
      group.of[known]!.push(index)
      continue
    }
    group.ids.push(entityId)
    group.of.push([index])
    if (isGone) group.documents.push(before!)
  }
  return [...groups.values()]
}

async function mayBeHidden(exchange: Exchange, operation: Operation, parts: ReadEventsParts): Promise<boolean> {
  if (parts.deletesPastRls) return false
  const { access } = await parts.authorize(exchange, operation)
  return access !== undefined && access.settings.length > 0
}

/** A response that says which event it is of: who comes back says it, too. Behind a message nobody can go on. */
function withEventId(text: string | null, { id, position }: ChangeEvent): string | null {
  return text === null || position === UNORDERED
    ? text
    : `${text.slice(0, -1)},"extensions":{"lastEventId":${JSON.stringify(id)}}}`
}

interface Row {
  /** `null`: it is not there, or nothing of it is. */
  readonly text: string | null
  /** What was read to look at it, by name of the field; `null`: nothing. */
  readonly beside: ReadonlyMap<string, string> | null
}

/** @param isChecked do rows have members that are not to be shown? */
function rowsOf(operation: Operation, result: Result, count: number, isChecked: boolean): readonly Row[] {
  const text = String(rootsOf(operation, result)[0]?.text ?? 'null')
  const rows = text === 'null' ? [] : readItems(text)
  return Array.from({ length: count }, (_, index) => {
    const row = rows[index] ?? 'null'
    if (row === 'null') return { text: rows.length === 0 ? null : row, beside: null }
    if (!isChecked) return { text: row, beside: null }
    const [shown, beside] = [new Map<string, string>(), new Map<string, string>()]
    for (const [key, value] of readMembers(row)) {
      if (key.startsWith('@')) beside.set(key.slice(1), value)
      else shown.set(key, value)
    }
    return { text: writeMembers([...shown]), beside }
  })
}

function responsesOf(
  exchange: Exchange,
  operation: Operation,
  result: Result,
  rows: readonly Row[],
  { render }: ReadEventsParts,
): readonly (string | null)[] {
  const { responseKey, operation: model } = subscriptionRoot(operation.template)
  const key = JSON.stringify(responseKey)
  const all = result.errors ?? []
  const common = all.filter((error) => rowOf(error) === null)
  const shown = common.length === 0 ? [] : common.flatMap((error) => render(exchange, error))
  return rows.map(({ text }, index) => {
    const row = text ?? 'null'
    const own = all.filter((error) => rowOf(error) === index)
    // Not there, or not for this subscriber: there is nothing to tell.
    if (text === 'null' && own.length === 0) return null
    const data = row === 'null' && !model.type.nullable ? 'null' : `{${key}:${row}}`
    const errors = [...shown, ...own.flatMap((error) => render(exchange, withoutRow(error)))]
    return errors.length === 0 ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`
  })
}

/** The row that an error is of; `null`: all of them. */
function rowOf(error: unknown): number | null {
  const at = error instanceof SvcError ? error.path?.[1] : undefined
  return typeof at === 'number' ? at : null
}

function withoutRow(error: SvcError): SvcError {
  const [key, , ...rest] = error.path ?? []
  return errorAt(error, { path: [key!, ...rest], locations: error.locations })
}
