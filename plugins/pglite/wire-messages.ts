import { columnTypeName } from '../../core/doors/driver.ts'
import type { Row, Rows, Statement } from '../../core/doors/plugin.ts'

/** What a command gave. */
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
  /** Of `readyForQuery`: `I` = no transaction is open. */
  readonly status?: string
  readonly fields?: Row | readonly FieldMessage[]
}

/**
 * @param prologue commands in front whose answers nobody wants
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
