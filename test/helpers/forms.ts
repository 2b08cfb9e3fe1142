import type { StreamForm } from '../../core/contract/result-stream.ts'
import type { ColumnStream } from '../../core/doors/front.ts'
import type { Result, RootSelection, Row, SvcError } from '../../core/doors/plugin.ts'
import { readItems, readMembers } from '../../core/engine/json/json-text.ts'
import type { ExecuteWorld } from './execute-world.ts'

/** All that a stream gave. */
export interface Drained<T> {
  readonly rows: readonly T[]
  readonly columns: readonly ColumnStream['columns'][number][]
  /** Of the result, and of the stream when it had been read. */
  readonly errors: readonly SvcError[]
}

export async function drainRows(result: Result): Promise<Drained<string>> {
  if (result.stream?.form !== 'rows') return { rows: [], columns: [], errors: result.errors ?? [] }
  const rows: string[] = []
  for await (const batch of result.stream) rows.push(...batch)
  return { rows, columns: [], errors: result.stream.errors }
}

export async function drainColumns(result: Result): Promise<Drained<Row>> {
  if (result.stream?.form !== 'columns') return { rows: [], columns: [], errors: result.errors ?? [] }
  const rows: Row[] = []
  for await (const batch of result.stream) rows.push(...batch)
  return { rows, columns: result.stream.columns, errors: result.stream.errors }
}

/**
 * The list of a document in its three forms. Rows are the items to the letter; columns are their members.
 * @throws Error where they differ
 */
export async function compareForms(world: ExecuteWorld, document: string): Promise<void> {
  const operation = world.operation(document)
  const { data, errors } = await world.resolve(operation)
  const expect = (what: string, one: unknown, other: unknown): void => {
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      throw new Error(`${what} of ${document}\n${JSON.stringify(one)}\n${JSON.stringify(other)}`)
    }
  }
  const root = operation.template.roots[0]!
  const isCounted = root.kind === 'operation' && root.selection?.kind === 'list'
  let list: string | undefined = data === null ? undefined : readMembers(data).get(root.responseKey)
  if (list !== undefined && isCounted) list = [...readMembers(list).values()][0]
  const placesOf = (found: readonly SvcError[] | null): unknown =>
    (found ?? []).map(({ code, message, path }) => ({ code, message, path: isCounted ? [path?.[0]] : path }))
  const inForm = (form: StreamForm): Promise<Result> => world.resolve({ ...operation, form, batchSize: 2 })
  const readRows = async () => drainRows(await inForm('rows'))
  const readColumns = async () => drainColumns(await inForm('columns'))
  if (list === undefined) {
    const wanted = (errors ?? []).map(({ code }) => code).slice(0, 1)
    expect('Failure of rows', await failureOf(readRows), wanted)
    expect('Failure of columns', await failureOf(readColumns), wanted)
    return
  }
  const rows = await readRows()
  expect('Rows', rows.rows, readItems(list))
  expect('Errors of rows', placesOf(rows.errors), placesOf(errors))
  if (isOfSeveralTypes(root)) return
  const { rows: values, columns, errors: found } = await readColumns()
  const members = readItems(list).map((item) => [...readMembers(item).values()])
  expect(
    'Columns',
    values,
    members.map((row) => row.map((json, i) => plain(json, columns[i]!))),
  )
  expect('Errors of columns', placesOf(found), placesOf(errors))
}

function isOfSeveralTypes(root: RootSelection): boolean {
  return root.kind === 'operation' && root.selection?.kind === 'abstract'
}

async function failureOf(read: () => Promise<Drained<unknown>>): Promise<readonly string[]> {
  try {
    return (await read()).errors.map(({ code }) => code).slice(0, 1)
  } catch (error) {
    return [(error as SvcError).code]
  }
}

function plain(json: string, { type }: ColumnStream['columns'][number]): string | null {
  if (json === 'null') return null
  return type === 'json' || !json.startsWith('"') ? json : JSON.parse(json)
}
