import type { AuthoredField, AuthoredSchema } from '../../core/schema/authored.ts'

export const ORDER_FIELDS: readonly AuthoredField[] = [
  { name: 'id', type: 'ID!' },
  { name: 'status', type: 'String' },
]

/** Orders and items, to be compiled without a database. @param fields fields of an order */
export function ordersSchema(
  more: Partial<AuthoredSchema> = {},
  fields: readonly AuthoredField[] = ORDER_FIELDS,
): AuthoredSchema {
  return {
    version: '1',
    types: [
      { name: 'Order', sql_source: 'v_order', fields },
      { name: 'Item', sql_source: 'v_item', fields: [{ name: 'id', type: 'ID!' }] },
    ],
    queries: [{ name: 'orders', type: '[Order!]!', sql_source: 'v_order' }],
    ...more,
  }
}
