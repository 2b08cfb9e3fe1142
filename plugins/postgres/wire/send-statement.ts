import type { Connection as Wire } from 'pg'
import { type Setting, type Statement, settingsParameters, settingsStatement } from '../../../core/index.ts'
import { SESSION_RESET } from '../session/session-reset.ts'
import type { Carrier } from './carrier.ts'
import type { PreparedName } from './prepared-names.ts'

const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const EXECUTE_AND_SYNC = Buffer.concat([EXECUTE, Buffer.from([0x53, 0, 0, 0, 4])])
const NO_PARAMETERS: readonly (string | null)[] = []
/** One object for all: the serialiser reads it before the next is written. */
const BIND: { statement: string; values: readonly (string | null)[] } = { statement: '', values: NO_PARAMETERS }
const UNNAMED_PORTAL = { type: 'P' } as const

/** What is sent: a statement, and what runs around it in its round trip. */
interface Sendable {
  readonly statement: Statement
  readonly parameters: readonly (string | null)[]
  readonly begin: Statement | null
  readonly settings: readonly Setting[] | null
  readonly reset: 'no' | 'within' | 'behind'
  readonly fresh: boolean
  prepares(entry: PreparedName, isNew: boolean): void
}

type Names = Pick<Carrier<never>, 'mode' | 'names'>

/**
 * Writes a statement to the wire, with what stands in front and behind, and a Sync.
 * @returns how many statements stand in front
 */
export function sendStatement(wire: Wire, connection: Names, sent: Sendable): number {
  const { stream } = wire
  let prologue = 0
  if (sent.begin !== null) {
    prologue++
    write(wire, connection, sent, sent.begin, NO_PARAMETERS)
    if (stream.writable) stream.write(EXECUTE)
  }
  if (sent.settings !== null) {
    prologue++
    write(wire, connection, sent, settingsStatement(sent.settings.length), settingsParameters(sent.settings))
    if (stream.writable) stream.write(EXECUTE)
  }
  write(wire, connection, sent, sent.statement, sent.parameters)
  if (sent.statement.name === null) wire.describe(UNNAMED_PORTAL, true)
  if (sent.reset === 'within') {
    for (const statement of SESSION_RESET) {
      if (stream.writable) stream.write(EXECUTE)
      write(wire, connection, sent, statement, NO_PARAMETERS)
    }
  }
  if (stream.writable) stream.write(EXECUTE_AND_SYNC)
  return prologue
}

function write(
  wire: Wire,
  connection: Names,
  sent: Sendable,
  statement: Statement,
  parameters: readonly (string | null)[],
): void {
  let name = ''
  if (statement.name === null || !connection.mode.on) {
    wire.parse({ name: '', text: statement.text, types: [] } as never, true)
  } else {
    name = statement.name
    const known = sent.fresh ? undefined : connection.names.get(name)
    if (known === undefined) sent.prepares(prepare(wire, connection, name, statement.text), true)
    else if (statement === sent.statement) sent.prepares(known, false)
  }
  BIND.statement = name
  BIND.values = parameters
  wire.bind(BIND as never, true)
}

/** Closing a name that does not exist is no error, so that a name is never "already there". */
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
