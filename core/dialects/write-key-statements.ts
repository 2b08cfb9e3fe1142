import type { WriteKeyStatements } from '../contract/write-once.ts'
import { insertRow } from './insert-row.ts'
import type { Primitives } from './primitives.ts'

/** @param table a plain name */
export function writeKeyStatements(primitives: Primitives, table: string): WriteKeyStatements {
  const { placeholder: at } = primitives
  const { text } = insertRow(primitives, table, ['id', 'fingerprint', 'expires_at'])
  return {
    insert: { name: 'svc_once_insert', text },
    keep: { name: 'svc_once_keep', text: `UPDATE ${table} SET answer = ${at(1)} WHERE id = ${at(2)}` },
    read: { name: 'svc_once_read', text: `SELECT fingerprint, answer, expires_at FROM ${table} WHERE id = ${at(1)}` },
    expire: { name: 'svc_once_expire', text: `DELETE FROM ${table} WHERE id = ${at(1)} AND expires_at <= ${at(2)}` },
    sweep: { name: 'svc_once_sweep', text: `DELETE FROM ${table} WHERE expires_at <= ${at(1)}` },
  }
}
