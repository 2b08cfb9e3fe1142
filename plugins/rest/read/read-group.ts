import type { ObjectType } from '../../../core/index.ts'
import { operatorOfField } from '../request/field-filter.ts'
import { fieldsOf } from '../request/fields-of-type.ts'
import type { Filter } from '../request/json-filter.ts'
import { type GroupNode, type Joint, parseGroup } from '../request/parse-group.ts'
import { unknownParameter } from '../request/refusals.ts'

/**
 * `or=(…)`, `and=(…)`, `not=(…)` in the engine's spelling; `not` of several members is none of all together.
 * @throws SvcError BAD_REQUEST, UNKNOWN_PARAMETER, UNKNOWN_OPERATOR, VALIDATION_ERROR
 */
export function readGroup(joint: Joint, text: string, type: ObjectType): Filter {
  return toFilter(parseGroup(joint, text), type)
}

function toFilter(node: GroupNode, type: ObjectType): Filter {
  if (node.kind === 'group') {
    const items = node.items.map((item) => toFilter(item, type))
    if (node.joint !== 'not') return { [`_${node.joint}`]: items }
    return { _not: items.length === 1 ? items[0] : { _and: items } }
  }
  const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(node.name)
  const { byName, filterable } = fieldsOf(type)
  const field = byName.get(bracket?.[1] ?? node.name)
  if (field === undefined || !filterable.includes(field.wireName))
    throw unknownParameter(node.name, filterable, `field of ${type.name} to filter by`)
  const operator = operatorOfField(field, bracket?.[2] ?? 'eq')
  return { [field.wireName]: { [operator.name]: operator.readText(node.value, node.name) } }
}
