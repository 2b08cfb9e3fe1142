import { deniedBehind, type IsDenied, type NamedType } from '../../../core/doors/front.ts'
import type { Engine, Exchange, FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { OperationTool } from '../tools/tool.ts'

/** A type, and what of it the caller may see. */
export interface VisibleType {
  readonly type: NamedType
  readonly fields: readonly FieldModel[]
}

/**
 * Types that answers of these tools are made of, by name, with the fields that this caller may see: what leads nowhere else is not
 * there.
 */
export async function visibleTypes(
  tools: readonly OperationTool[],
  guards: Pick<Engine, 'authorize'>,
  exchange: Exchange,
): Promise<ReadonlyMap<string, VisibleType>> {
  const found = new Map<string, VisibleType>()
  const unsaid: NamedType[] = []
  for (const { operation } of tools) {
    // All that it leads to was looked at with it.
    if (found.has(operation.named.name)) continue
    const isDenied = await deniedBehind(guards, exchange, operation)
    if (isDenied === null) unsaid.push(operation.named)
    else walk(found, operation.named, isDenied)
  }
  // What nobody says anything about is there, without its fields.
  for (const type of unsaid) if (!found.has(type.name) && isShown(type)) found.set(type.name, { type, fields: [] })
  return found
}

function walk(found: Map<string, VisibleType>, start: NamedType, isDenied: IsDenied): void {
  const waiting = [start]
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (found.has(type.name) || !isShown(type) || isDenied(type.name)) continue
    const fields = fieldsOf(type, isDenied)
    found.set(type.name, { type, fields })
    if (type.kind === 'interface' || type.kind === 'union') waiting.push(...type.members)
    for (const { named } of fields) waiting.push(named)
  }
}

function isShown(type: NamedType): boolean {
  return type.kind !== 'scalar' || type.custom
}

/** Of an interface a field is seen where any type behind it shows it. */
function fieldsOf(type: NamedType, isDenied: IsDenied): readonly FieldModel[] {
  if (type.kind !== 'object' && type.kind !== 'interface') return []
  const owners = type.kind === 'object' ? [type.name] : type.members.map(({ name }) => name)
  return [...(type as ObjectType).fields.values()].filter(
    ({ wireName, named }) =>
      !isDenied(named.name) && owners.some((name) => !isDenied(name) && !isDenied(`${name}.${wireName}`)),
  )
}
