import type { ReadPlan, RootValue, Rows } from '../../../contract/plan/read-plan.ts'
import type { PackedRead } from '../../../contract/prepared-read.ts'
import { EMPTY } from '../../../engine/sql/fragment.ts'
import { createEmission, type Emission, nextAlias, openSourceRow, watched } from '../../walker/emission.ts'
import { finishStatement } from '../../walker/finish.ts'
import { rootText } from '../../walker/root.ts'
import { countText, rowsFrom } from '../../walker/rows.ts'
import { PRIMITIVES } from '../primitives/primitives.ts'
import { compose, jsonColumn, type Packed, packedList, packedSingle, packedStatement } from './packed.ts'
import { packedConnection } from './packed-connection.ts'
import { objectParts, type RowTemplate, rowTemplate } from './packed-row.ts'

/** Limit of roots, below PostgreSQL's limit of columns in a row. */
const MOST_ROOTS = 500

/**
 * Prepares a read where svc writes part of the JSON itself, which relieves the database. svc writes root fields whose
 * rows select only scalars and enums from native columns; the database writes the JSON of all others.
 * @param keep `true`: prepare the statement by name
 * @returns `null`: there is no root field that svc can write
 */
export function packRead({ roots, alone }: ReadPlan, keep: boolean): PackedRead | null {
  if (alone || roots.length > MOST_ROOTS) return null
  const emission = createEmission(PRIMITIVES)
  const parts: (string | Packed)[] = []
  let packs = false
  for (const [index, { key, value }] of roots.entries()) {
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    if (value.kind === 'constant') {
      parts.push(value.json)
      continue
    }
    const packed = packedRoot(emission, value)
    if (packed !== null) packs = true
    parts.push(packed ?? jsonColumn(rootText(emission, key, value)))
  }
  if (!packs) return null
  const { sql, write } = packedStatement(compose([...parts, '}']))
  return { ...finishStatement(emission, sql, keep), ...watched(emission), write, rest: 0 }
}

/** @returns `null` when the root contains more than leaves, so that the database must write it */
function packedRoot(emission: Emission, value: RootValue): Packed | null {
  switch (value.kind) {
    case 'single': {
      const open = openTemplate(emission, value.rows)
      return open === null ? null : packedSingle(open, rowsFrom(emission, value.rows).from, value.nullable)
    }
    case 'list':
      return packedRows(emission, value.rows)
    case 'counted':
      return packedCounted(emission, value)
    case 'connection':
      return packedConnection(emission, value)
    default:
      return null
  }
}

function openTemplate(emission: Emission, rows: Rows): RowTemplate | null {
  openSourceRow(emission, rows.row)
  const parts = objectParts(emission, rows.object)
  return parts === null ? null : rowTemplate(parts)
}

function packedRows(emission: Emission, rows: Rows): Packed | null {
  const template = openTemplate(emission, rows)
  if (template === null) return null
  const { from, guard } = rowsFrom(emission, rows)
  return packedList(nextAlias(emission), template, from, guard ?? EMPTY)
}

function packedCounted(emission: Emission, { members }: Extract<RootValue, { kind: 'counted' }>): Packed | null {
  const parts: (string | Packed)[] = []
  let packs = false
  for (const [index, member] of members.entries()) {
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(member.key)}:`)
    if (member.kind === 'items') {
      const items = packedRows(emission, member.rows)
      if (items === null) return null
      packs = true
      parts.push(items)
    } else if (member.kind === 'total') parts.push(jsonColumn(countText(emission, member.of)))
    else parts.push(JSON.stringify(member.name))
  }
  return packs ? compose([...parts, '}']) : null
}
