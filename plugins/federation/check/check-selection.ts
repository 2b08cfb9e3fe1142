import { didYouMean, listNames } from '../../../core/doors/plugin.ts'
import { parseFieldSet, type SelectedField } from './field-set.ts'
import { isListField, type Owner, type Owners } from './owners.ts'

/**
 * Checks a selection of fields, as in `@key` or `@requires`.
 * @param owner type whose fields are selected
 * @param isKey `true` for a key, which cannot contain lists
 * @returns the problem as a sentence; `null`: the selection is valid
 */
export function selectionProblem(
  owners: Owners,
  owner: Owner,
  selected: readonly SelectedField[],
  isKey: boolean,
): string | null {
  for (const { name, fields } of selected) {
    const field = owners.field(owner, name)
    if (field === undefined) {
      const names = owner.fields.map((one) => one.name)
      const hint = didYouMean(name, names) || ` It has: ${listNames(names)}.`
      return `"${name}" is no field of ${owner.name}.${hint}`
    }
    const behind = owners.behind(field)
    if (isKey && isListField(field))
      return `"${name}" of ${owner.name} is a list, and parts of a key are single values.`
    if (behind === undefined && fields.length > 0) {
      return `"${name}" of ${owner.name} is ${field.type}, of which nothing is selected. Take the braces out.`
    }
    if (behind === undefined) continue
    if (fields.length === 0) {
      return `"${name}" of ${owner.name} is an object. Say which of its fields: \`${name} { ${behind.fields[0]?.name ?? 'id'} }\`.`
    }
    if (isKey && !owners.isObject(behind)) {
      return `"${name}" of ${owner.name} is the interface ${behind.name}, and parts of a key stand in one place.`
    }
    const problem = selectionProblem(owners, behind, fields, isKey)
    if (problem !== null) return problem
  }
  return null
}

/**
 * Parses a federation field set such as `sku variation { id }`.
 * @returns the selected fields, or a sentence about the syntax error
 */
export function readSelection(text: string): readonly SelectedField[] | string {
  try {
    return parseFieldSet(text)
  } catch (error) {
    return `${(error as Error).message}.`
  }
}
