import type { SelectedRelation } from '../../../contract/operation.ts'
import type { FieldModel, SchemaModel } from '../../../schema/model.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'

const TEXT: TypeRef = { kind: 'named', name: 'ID', nullable: true }

/** Returns a field that reads the key of a relation as text, by which the other database finds its rows. */
export function keyField({ field }: SelectedRelation, schema: SchemaModel): FieldModel {
  const { read } = field
  const named = schema.types.get('ID')
  if (read?.from !== 'relation' || named === undefined) throw new Error(`${field.name} is no relation`)
  const { from_column: name, from_document: document, column_type } = read
  return {
    ...field,
    name,
    wireName: name,
    type: TEXT,
    named,
    list: false,
    read:
      document === undefined
        ? { from: 'column', column: name, column_type, not_null: false }
        : { from: 'document', document, key: name },
  }
}
