import { compileCoercer, fieldChoice, type OperationMaker } from '../../../core/doors/front.ts'
import { didYouMean, listNames } from '../../../core/doors/plugin.ts'
import type { CallableOperation, Curation } from './prepared-tool.ts'

/** Why a tool that a team has put together cannot be; `null`: it can. Said when the schema is loaded, not when an agent calls. */
export function curationFault(
  operation: CallableOperation,
  { fixed, hidden, fields }: Curation,
  maker: OperationMaker,
): string | null {
  const shapes = maker.argumentsOf(operation)
  for (const name of [...Object.keys(fixed), ...hidden]) {
    if (shapes.has(name)) continue
    const hint = didYouMean(name, shapes.keys()) || ` There are: ${listNames(shapes.keys()) || 'none'}`
    return `"${operation.wireName}" has no argument "${name}".${hint}`
  }
  for (const name of hidden) {
    const { type, default: byDefault } = shapes.get(name)!
    if (!type.nullable && byDefault === undefined && !Object.hasOwn(fixed, name))
      return `"${name}" is hidden, and every call needs it: give it a value under \`arguments\`.`
  }
  for (const [name, value] of Object.entries(fixed)) {
    const { type, shape } = shapes.get(name)!
    try {
      compileCoercer(type, shape)(value)
    } catch (error) {
      return `the value of "${name}" is none: ${(error as Error).message}`
    }
  }
  try {
    if (fields !== undefined) maker.selectionOf(operation, { fields: fieldChoice(fields) })
  } catch (error) {
    return (error as Error).message
  }
  return null
}
