import { toSnakeCase } from '../../../base/util/naming.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Session } from '../../../contract/database.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { FieldSelection, ObjectSelection, Operation } from '../../../contract/operation.ts'
import type { WriteStamp } from '../../../contract/slot.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { argumentsOf } from '../../plan/values/arguments-of.ts'
import { keyArgument } from '../../plan/write/key-argument.ts'
import { kindOfWrite } from '../../plan/write/write-kind.ts'
import type { ExecuteContext } from '../context/context.ts'
import { prepareRowsByKeys } from '../read/prepare-read.ts'
import type { BoundCall } from './bound-call.ts'
import type { ReportedRow } from './committed.ts'

/**
 * Applies what plugins added to a mutation (`scope.writes`), inside its transaction: it reads the row before and after
 * the call, and inserts the rows of plugins.
 */
export class Contributed {
  readonly #call: BoundCall
  readonly #operation: Operation
  readonly #context: ExecuteContext
  readonly #session: Session
  readonly #read: (type: ObjectType, id: string) => Promise<string | null>
  #key: string | null = null
  #before: string | null = null

  constructor(context: ExecuteContext, exchange: Exchange, operation: Operation, call: BoundCall, session: Session) {
    this.#call = call
    this.#operation = operation
    this.#context = context
    this.#session = session
    this.#read = (type, id) => readStoredRow(context, exchange, operation, session, type, id)
  }

  /** Reads the row of the call before the call, if the statement itself cannot return its old version. */
  async readBefore(): Promise<void> {
    const { bound, plan } = this.#call
    const { before, types, root } = plan.planned
    const [only, ...others] = types
    if (!before || bound.columns.has('before') || only === undefined || others.length > 0) return
    this.#key = keyArgument(root.operation, argumentsOf(root, this.#operation.variables))
    if (this.#key !== null) this.#before = await this.#read(only, this.#key)
  }

  /** Adds the requested old and new versions to the reported rows. */
  complete(reported: readonly ReportedRow[]): Promise<readonly ReportedRow[]> {
    return Promise.all(reported.map((row) => this.#complete(row)))
  }

  async #complete(row: ReportedRow): Promise<ReportedRow> {
    const { entity: wantsEntity, types, root } = this.#call.plan.planned
    const before = row.before ?? (row.entityId !== null && row.entityId === this.#key ? this.#before : null)
    const kind = kindOfWrite(root.operation.operation, row.status)
    const type =
      row.entityType === null && types.length === 1 ? types[0] : types.find(({ name }) => name === row.entityType)
    const isLacking = wantsEntity && row.entity === null && kind !== 'DELETE'
    if (!isLacking || row.entityId === null || type === undefined) return { ...row, before }
    return { ...row, before, entity: await this.#read(type, row.entityId) }
  }

  /** Inserts the rows of plugins. */
  async insert(writes: readonly CommittedWrite[], stamp: WriteStamp): Promise<void> {
    const { insertRow } = this.#context.settings.dialect
    for (const { insert } of this.#call.plan.contributions) {
      if (insert === undefined) continue
      const { table, columns } = insert
      const statement = insertRow(table, Object.keys(columns))
      const given = new Map<unknown, string | null>()
      for (const value of Object.values(columns)) {
        if (typeof value === 'function') given.set(value, value(stamp.exchange, stamp.operation))
      }
      const rows = writes.map((write) =>
        Object.values(columns).map((value) => (typeof value === 'function' ? given.get(value)! : textOf(write, value))),
      )
      await Promise.all(rows.map((parameters) => this.#session.query(statement, parameters)))
    }
  }
}

function textOf(write: CommittedWrite, part: keyof CommittedWrite): Parameter {
  const value = write[part]
  return typeof value === 'string' || value === null ? value : JSON.stringify(value)
}

/**
 * Reads a row of a type's source inside the transaction of a write, for reports about the write. No rules are applied, so it must never be
 * part of an answer.
 * @returns JSON text; `null`: there is no such row
 */
async function readStoredRow(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  session: Session,
  type: ObjectType,
  id: string,
): Promise<string | null> {
  const { dialect } = context.settings
  if (dialect.storedRow !== undefined) {
    const { rows } = await session.query(dialect.storedRow(type), [id])
    return rows[0]?.[0] ?? null
  }
  const read = { key: type.name, type, selection: leavesOf(type), many: false }
  const kind = `stored ${type.name}`
  const prepared = prepareRowsByKeys(operation, kind, read, exchange.generation.schema, context.settings)
  if (prepared.statement === null) throw new Error('Rows are read with a statement')
  const { rows } = await session.query(
    prepared.statement,
    prepared.bind(operation.variables, exchange, [id], operation.access),
  )
  return rows[0]?.[0] ?? null
}

const selections = new WeakMap<ObjectType, ObjectSelection>()

/** Returns a selection of all fields of scalars and enums that the source stores, under their declared names. */
function leavesOf(type: ObjectType): ObjectSelection {
  let selection = selections.get(type)
  if (selection === undefined) {
    const fields: FieldSelection[] = []
    for (const field of type.fields.values()) {
      const isLeaf = field.named.kind === 'scalar' || field.named.kind === 'enum'
      if (!isLeaf || field.read === null || field.read.from === 'relation') continue
      const responseKey = toSnakeCase(field.name)
      fields.push({ kind: 'field', responseKey, field, arguments: [], selection: null, location: null })
    }
    selection = { kind: 'object', type, fields }
    selections.set(type, selection)
  }
  return selection
}
