import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { DatabaseModel, QualifiedName } from '../contract/database-model.ts'

/** Which objects of a database svc proposes a schema for, from the flags `--schema` and `--exclude`. */
export interface ModelSelection {
  /** Names of the database schemas whose objects are included. Empty: all schemas. */
  readonly schemas: readonly string[]
  /** Patterns of names of tables, views and functions to leave out, such as `audit.*` and `*_old`. */
  readonly exclude: readonly string[]
}

/**
 * Returns a model with the selected tables, views and functions only. Foreign keys to tables that are left out stay in
 * it; the proposal reports them.
 * @throws SvcError SVC_USAGE: a schema or a pattern matches no object
 */
export function filterModel(model: DatabaseModel, { schemas, exclude }: ModelSelection): DatabaseModel {
  if (schemas.length === 0 && exclude.length === 0) return model
  checkSchemas(model, schemas)
  const patterns = exclude.map((text) => ({ text, expression: toExpression(text), used: false }))
  const isExcluded = (names: readonly string[]): boolean => {
    const hits = patterns.filter(({ expression }) => names.some((name) => expression.test(name)))
    for (const hit of hits) hit.used = true
    return hits.length > 0
  }
  const isWanted = (object: QualifiedName): boolean =>
    (schemas.length === 0 || object.schema === undefined || schemas.includes(object.schema)) &&
    !isExcluded(namesOf(object))
  const filtered = {
    ...model,
    relations: model.relations.filter(isWanted),
    functions: model.functions.filter(isWanted),
    // Columns of tables that stay may have an enum of another schema, so all enums stay.
    skipped: model.skipped.filter(({ name }) => isInSchemas(name, schemas) && !isExcluded([name])),
  }
  const unused = patterns.find(({ used }) => !used)
  if (unused === undefined) return filtered
  const known = [...model.relations, ...model.functions].flatMap(namesOf)
  throw new SvcError(
    'SVC_USAGE',
    `--exclude ${unused.text} matches no table, view or function.${didYouMean(unused.text, known)} "*" stands for any characters: --exclude "audit.*"`,
  )
}

function checkSchemas({ relations, functions }: DatabaseModel, schemas: readonly string[]): void {
  const known = [...new Set([...relations, ...functions].flatMap(({ schema }) => schema ?? []))]
  const unknown = schemas.find((one) => !known.includes(one))
  if (unknown === undefined) return
  const what =
    known.length === 0
      ? 'The database has no schemas with tables or functions.'
      : `Schemas with tables or functions: ${listNames(known)}`
  throw new SvcError('SVC_USAGE', `--schema ${unknown}: there is no such schema.${didYouMean(unknown, known)} ${what}`)
}

function namesOf({ schema, name }: QualifiedName): readonly string[] {
  return schema === undefined ? [name] : [name, `${schema}.${name}`]
}

function isInSchemas(name: string, schemas: readonly string[]): boolean {
  return schemas.length === 0 || schemas.some((one) => name.startsWith(`${one}.`))
}

function toExpression(pattern: string): RegExp {
  const text = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${text}$`, 'i')
}
