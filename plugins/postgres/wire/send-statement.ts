import type { Connection as Wire } from 'pg'
import { PLAN_WITH_VALUES, type Setting, settingsParameters, settingsStatement } from '../../../core/doors/driver.ts'
import type { Statement } from '../../../core/doors/plugin.ts'
import type { Planning } from '../costs/plan-choice.ts'
import type { Carrier } from './carrier.ts'
import type { PreparedName } from './prepared-names.ts'
import { encodeBind } from './protocol-messages.ts'
import { SESSION_RESET } from './session-reset.ts'

/** Messages for the unnamed portal: describe its columns, execute it, and end the transaction. */
const DESCRIBE = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0])
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, SYNC])
const NO_PARAMETERS: readonly (string | null)[] = []
/** Sent before a statement that is planned with its values. */
const EXECUTE_PLAN_WITH_VALUES = encodeBind(PLAN_WITH_VALUES.name!, NO_PARAMETERS, EXECUTE)
/** Sent after a prepared write, as nearly every write is: always the same bytes. */
const EXECUTE_AND_RESET = Buffer.concat([
  EXECUTE,
  ...SESSION_RESET.map(({ name }) => encodeBind(name!, NO_PARAMETERS, EXECUTE)),
  SYNC,
])

/** A statement, with the statements that run before and after it in its round trip. */
interface Sendable {
  readonly statement: Statement
  readonly parameters: readonly (string | null)[]
  readonly begin: Statement | null
  readonly settings: readonly Setting[] | null
  readonly planning: Planning | null
  readonly reset: 'no' | 'within' | 'behind'
  readonly fresh: boolean
  prepares(entry: PreparedName, isNew: boolean): void
}

type Names = Pick<Carrier<never>, 'mode' | 'names'>

/**
 * Writes a statement to a connection, together with the statements that set it up and reset the session, and a Sync
 * message.
 * @returns the number of statements written before it
 */
export function sendStatement(wire: Wire, connection: Names, sent: Sendable): number {
  let prologue = 0
  if (sent.reset === 'within') prepareReset(wire, connection, sent)
  if (sent.begin !== null) {
    prologue++
    const name = prepared(wire, connection, sent, sent.begin)
    write(wire, encodeBind(name, NO_PARAMETERS, EXECUTE))
  }
  if (sent.settings !== null) {
    prologue++
    const name = prepared(wire, connection, sent, settingsStatement(sent.settings.length))
    write(wire, encodeBind(name, settingsParameters(sent.settings), EXECUTE))
  }
  if (sent.planning === 'values') {
    prologue++
    const name = prepared(wire, connection, sent, PLAN_WITH_VALUES)
    write(wire, name === '' ? encodeBind(name, NO_PARAMETERS, EXECUTE) : EXECUTE_PLAN_WITH_VALUES)
  }
  const { statement, parameters } = sent
  const name = prepared(wire, connection, sent, statement)
  if (sent.reset === 'within') sendWithReset(wire, connection, sent, name)
  else if (statement.name !== null) write(wire, encodeBind(name, parameters, EXECUTE_AND_SYNC))
  else write(wire, Buffer.concat([encodeBind(name, parameters, DESCRIBE), EXECUTE_AND_SYNC]))
  return prologue
}

function sendWithReset(wire: Wire, connection: Names, sent: Sendable, name: string): void {
  const { statement, parameters } = sent
  const isPrepared = hasReset(connection, sent)
  if (statement.name !== null && isPrepared) {
    write(wire, encodeBind(name, parameters, EXECUTE_AND_RESET))
    return
  }
  write(wire, encodeBind(name, parameters, statement.name === null ? DESCRIBE : EXECUTE))
  if (statement.name === null) write(wire, EXECUTE)
  for (const reset of SESSION_RESET) {
    if (!isPrepared) parseOnce(wire, reset.text)
    write(wire, encodeBind(isPrepared ? reset.name! : '', NO_PARAMETERS, EXECUTE))
  }
  write(wire, SYNC)
}

/** A statement that is sent afresh uses no prepared names, since the statement itself may make the server forget them. */
function hasReset({ mode }: Names, { fresh }: Sendable): boolean {
  return mode.on && !fresh
}

/**
 * Prepares the reset before anything that may fail: the server skips messages after an error, but statements that are sent
 * meanwhile rely on the preparation. The reset after a write with settings is one of them, and it must not fail.
 */
function prepareReset(wire: Wire, connection: Names, sent: Sendable): void {
  if (!hasReset(connection, sent)) return
  const { names } = connection
  for (const { name, text } of SESSION_RESET) {
    if (names.get(name!) !== undefined) continue
    sent.prepares(prepare(wire, connection, name!, text), true)
    // Counts as used, so that the next preparation does not evict it.
    names.get(name!)
  }
}

/** Writes bytes. A broken connection accepts none, and rejects all statements in flight. */
function write({ stream }: Wire, bytes: Buffer): void {
  if (stream.writable) stream.write(bytes)
}

/**
 * Prepares a statement, unless the connection has it already.
 * @returns the name to bind; empty: the unnamed statement, valid for one use
 */
function prepared(wire: Wire, connection: Names, sent: Sendable, statement: Statement): string {
  const { name, text } = statement
  if (name === null || !connection.mode.on) {
    parseOnce(wire, text)
    return ''
  }
  const known = sent.fresh ? undefined : connection.names.get(name)
  if (known === undefined) sent.prepares(prepare(wire, connection, name, text), true)
  else if (statement === sent.statement) sent.prepares(known, false)
  return name
}

/** Prepares the unnamed statement, for the next use only. */
function parseOnce(wire: Wire, text: string): void {
  wire.parse({ name: '', text, types: [] } as never, true)
}

/** Prepares a statement. Its name is closed first, which is no error for an unknown name, so that it never exists already. */
function prepare(wire: Wire, { names }: Names, name: string, text: string): PreparedName {
  const evicted = names.evict()
  if (evicted !== null) closeStatement(wire, evicted)
  closeStatement(wire, name)
  wire.parse({ name, text, types: [] } as never, true)
  return names.add(name)
}

function closeStatement(wire: Wire, name: string): void {
  const closable = wire as unknown as { close(message: { type: 'S'; name: string }): void }
  closable.close({ type: 'S', name })
}
