import { columnTypeName } from '../../../core/doors/driver.ts'
import type { Rows } from '../../../core/doors/plugin.ts'

/** `RowDescription`, as `pg` reads it. */
export interface DescriptionMessage {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** The columns of an answer, with the names of their types. */
export function columnsOf({ fields }: DescriptionMessage): Rows['columns'] {
  return fields.map(({ name, dataTypeID }) => ({ name, type: columnTypeName(dataTypeID) }))
}
