import type { ObjectType } from '../../../core/doors/plugin.ts'
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
  return toFilter(parseGroup(joint, text), type, false)
}

/**
 * Negations are carried down to the conditions (De Morgan, which holds for nulls as well), so that no group takes more than one level.
 * @param negated is it the rows that do not fulfil it which are meant?
 */
function toFilter(node: GroupNode, type: ObjectType, negated: boolean): Filter {
  if (node.kind === 'group') {
    const isNegated = node.joint === 'not' ? !negated : negated
    const items = node.items.map((item) => toFilter(item, type, isNegated))
    if (items.length === 1 && node.joint === 'not') return items[0]!
    const joint = node.joint === 'or' ? 'or' : 'and'
    return { [isNegated === (joint === 'and') ? '_or' : '_and']: items }
  }
  const condition = toCondition(node, type)
  return negated ? { _not: condition } : condition
}

function toCondition(node: Extract<GroupNode, { kind: 'condition' }>, type: ObjectType): Filter {
  const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(node.name)
  const { byName, filterable } = fieldsOf(type)
  const field = byName.get(bracket?.[1] ?? node.name)
  if (field === undefined || !filterable.includes(field.wireName))
    throw unknownParameter(node.name, filterable, `field of ${type.name} to filter by`)
  const operator = operatorOfField(field, bracket?.[2] ?? 'eq')
  return { [field.wireName]: { [operator.name]: operator.readText(node.value, node.name) } }
}
