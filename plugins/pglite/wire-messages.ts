import { protocol } from '@electric-sql/pglite'
import { columnTypeName, refusedSettings } from '../../core/doors/driver.ts'
import type { Row, Rows, Statement } from '../../core/doors/plugin.ts'

/** Result of a SQL command: its rows, and the row count from the command tag. */
export interface Outcome extends Rows {
  readonly tag: string
}

export interface FieldMessage {
  readonly name: string
  readonly tableID: number
  readonly columnID: number
  readonly dataTypeID: number
}
export interface NotificationMessage {
  readonly channel: string
  readonly payload: string
}
export interface ServerMessage {
  readonly name: string
  readonly text?: string
  /** Set on `readyForQuery`: `I` means that no transaction is open. */
  readonly status?: string
  readonly fields?: Row | readonly FieldMessage[]
}

/**
 * Parses the messages with which the embedded database answered one request.
 * @param prologue number of commands before the statement, which set session variables
 * @param onNotification receives notifications, which belong to no statement
 * @throws the error that the database reported
 */
export function readAnswer(
  answer: Uint8Array,
  prologue: number,
  onNotification: (notification: NotificationMessage) => void,
): readonly ServerMessage[] {
  const said: ServerMessage[] = []
  let failure: Error | null = null
  let completed = 0
  new protocol.Parser().parse(answer, (message) => {
    if (message.name === 'commandComplete' && failure === null) completed++
    if (message instanceof Error) failure ??= message
    else if (message.name === 'notification') onNotification(message as unknown as NotificationMessage)
    else said.push(message as unknown as ServerMessage)
  })
  if (failure !== null) throw (completed < prologue ? refusedSettings(failure) : null) ?? failure
  return said
}

/**
 * Reads the rows of the last command from messages of the embedded database.
 * @param prologue number of commands before it, whose rows are skipped
 * @returns `null` when a command was not completed
 */
export function readOutcome(messages: readonly ServerMessage[], prologue: number): Outcome | null {
  const rows: Row[] = []
  let columns: Outcome['columns'] = []
  let tag: string | null = null
  let toSkip = prologue
  for (const message of messages) {
    if (message.name === 'dataRow') {
      if (toSkip === 0) rows.push(message.fields as Row)
    } else if (message.name === 'rowDescription') {
      const fields = message.fields as readonly FieldMessage[]
      columns = fields.map(({ name, dataTypeID }) => ({ name, type: columnTypeName(dataTypeID) }))
    } else if (message.name === 'commandComplete' || message.name === 'emptyQuery') {
      if (toSkip > 0) toSkip--
      else tag = message.text ?? ''
    } else if (message.name === 'readyForQuery') break
  }
  return tag === null ? null : { rows, columns, tag }
}

export function isStalePlan(error: unknown, statement: Statement): boolean {
  if (statement.name === null || !(error instanceof Error)) return false
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
