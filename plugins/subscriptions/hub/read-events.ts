import { type ChangeEvent, changes, jsonText, rootsOf } from '../../../core/doors/front.ts'
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
  /** Converts an error to entries of `errors` in a GraphQL response. */
  readonly render: (exchange: Exchange, error: unknown) => readonly unknown[]
  /** `true`: also send deletions when row-level security of the database might hide the row from the subscriber. */
  readonly deletesPastRls: boolean
  /** Counts an event that is not sent because the subscriber may not see the row. */
  readonly withheld: () => void
  /**
   * Counts an event that is not sent because its row has changed again and no longer matches the filter. A later event
   * shows the new state.
   */
  readonly superseded: () => void
  readonly checks: RowChecks
}

/** Rows of one type, which are read together. */
interface Group {
  readonly type: string
  readonly isGone: boolean
  readonly ids: string[]
  readonly documents: string[]
  /** Indexes of the events of each row. */
  readonly of: number[][]
}

/**
 * Reads the rows of events as GraphQL responses, with the access of the caller. Deleted rows come from the events,
 * under the same access rules.
 * @returns a response per event; `null`: the row does not exist or is not visible
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
    const changed = isGone ? { type, ids, documents } : { type, ids, beside }
    const reading: Operation = { ...operation, changed }
    const result = await parts.run(exchange, reading)
    const rows = rowsOf(reading, result, ids.length, beside.length > 0)
    const responses = responsesOf(exchange, reading, result, rows, parts)
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

/** Groups events by type. A row that changed twice is read once; a row that was deleted twice has two documents. */
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

/** Adds the id of the event, which the client sends to resume. Messages have no position, so that none can be resumed from. */
function withEventId(text: string | null, { id, position }: ChangeEvent): string | null {
  return text === null || position === changes.UNORDERED
    ? text
    : `${text.slice(0, -1)},"extensions":{"lastEventId":${JSON.stringify(id)}}}`
}

interface Row {
  /** JSON text of the row; `null` when the whole result is null. */
  readonly text: string | null
  /** Values that were read for the filter only, by name of the field; `null`: none were. */
  readonly beside: ReadonlyMap<string, string> | null
}

/** @param isChecked `true` if rows have members that were read for the filter only */
function rowsOf(operation: Operation, result: Result, count: number, isChecked: boolean): readonly Row[] {
  const text = String(rootsOf(operation, result)[0]?.text ?? 'null')
  const rows = text === 'null' ? [] : jsonText.readItems(text)
  return Array.from({ length: count }, (_, index) => {
    const row = rows[index] ?? 'null'
    if (row === 'null') return { text: rows.length === 0 ? null : row, beside: null }
    if (!isChecked) return { text: row, beside: null }
    const [shown, beside] = [new Map<string, string>(), new Map<string, string>()]
    for (const [key, value] of jsonText.readMembers(row)) {
      if (key.startsWith('@')) beside.set(key.slice(1), value)
      else shown.set(key, value)
    }
    return { text: jsonText.writeMembers([...shown]), beside }
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
    // The row does not exist, or the subscriber may not see it: no event is sent.
    if (text === 'null' && own.length === 0) return null
    const data = row === 'null' && !model.type.nullable ? 'null' : `{${key}:${row}}`
    const errors = [...shown, ...own.flatMap((error) => render(exchange, withoutRow(error)))]
    return errors.length === 0 ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`
  })
}

/** The index of the row that an error belongs to; `null`: it belongs to all rows. */
function rowOf(error: unknown): number | null {
  const at = error instanceof SvcError ? error.path?.[1] : undefined
  return typeof at === 'number' ? at : null
}

function withoutRow(error: SvcError): SvcError {
  const [key, , ...rest] = error.path ?? []
  return errorAt(error, { path: [key!, ...rest], locations: error.locations })
}
