import type { ErrorObject } from 'ajv/dist/2020.js'

const CHOICES: readonly string[] = ['anyOf', 'oneOf', 'if']

/**
 * Removes ajv errors that only repeat another one: those of the branches of `anyOf` and `oneOf`, since the error of the
 * choice itself suffices. If all plausible branches reject the same unknown key, the error of the key is kept instead
 * of that of the choice, because it is more specific.
 */
export function withoutDetailsOfChoices(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept = new Set(errors)
  for (const choice of errors.filter(({ keyword }) => CHOICES.includes(keyword))) {
    const details = errors.filter((error) => error !== choice && isBelow(error, choice))
    for (const detail of details) kept.delete(detail)
    const unknown = unknownKeys(choice, details)
    for (const detail of unknown) kept.add(detail)
    if (unknown.length > 0) kept.delete(choice)
  }
  // Errors inside of a choice, of an inner choice or a key, make the outer one redundant.
  return errors.filter((error) => kept.has(error))
}

function isBelow(error: ErrorObject, choice: ErrorObject): boolean {
  return error.schemaPath.startsWith(`${choice.schemaPath}/`)
}

/** Returns one error for each unknown key that all plausible branches reject. */
function unknownKeys(choice: ErrorObject, details: readonly ErrorObject[]): readonly ErrorObject[] {
  const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(choice.schemaPath.length + 1).split('/')[0]
  const meant = new Set(details.map(branchOf))
  for (const detail of details) {
    const { keyword, instancePath } = detail
    const isOther = keyword === 'type' && instancePath === choice.instancePath
    // A constant such as `kind: "a"` identifies the branch.
    if (isOther || keyword === 'const' || keyword === 'enum') meant.delete(branchOf(detail))
  }
  const found = new Map<string, { readonly error: ErrorObject; readonly branches: Set<string | undefined> }>()
  for (const error of details) {
    if (error.keyword !== 'additionalProperties' || !meant.has(branchOf(error))) continue
    const key = `${error.instancePath}/${String(error.params.additionalProperty)}`
    const entry = found.get(key) ?? { error, branches: new Set() }
    entry.branches.add(branchOf(error))
    found.set(key, entry)
  }
  return [...found.values()].filter(({ branches }) => branches.size === meant.size).map(({ error }) => error)
}
