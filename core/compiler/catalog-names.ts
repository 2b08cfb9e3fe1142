import type { CatalogNames } from '../contract/database.ts'
import type { AuthoredSchema } from '../schema/authored.ts'
import { toSnakeCase } from '../util/naming.ts'
import { copySchema } from './copy-schema.ts'
import { normaliseSchema } from './passes/normalise.ts'
import { Report } from './report.ts'

/**
 * The relations and functions that compiling this schema asks the catalog about: those it names, and those that the
 * naming rules would find.
 */
export function catalogNames(authored: AuthoredSchema): CatalogNames {
  const schema = normaliseSchema(copySchema(authored), new Report())
  const relations = new Set<string>()
  const functions = new Set<string>()
  const source = (name: unknown): void => {
    if (typeof name === 'string') relations.add(name)
  }
  for (const element of [...list(schema?.types), ...list(schema?.interfaces), ...list(schema?.unions)]) {
    source(element.sql_source)
    if (typeof element.name === 'string') {
      source(`v_${toSnakeCase(element.name)}`)
      source(`tv_${toSnakeCase(element.name)}`)
    }
  }
  for (const query of list(schema?.queries)) source(query.sql_source)
  for (const mutation of list(schema?.mutations)) {
    const name = mutation.sql_source ?? `fn_${toSnakeCase(String(mutation.name))}`
    if (typeof name === 'string') functions.add(name)
    if (typeof mutation.upsert_function === 'string') functions.add(mutation.upsert_function)
  }
  return { relations: [...relations], functions: [...functions] }
}

/** Names are asked for before the form is checked: what is no list of objects is none here. */
function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => item !== null && typeof item === 'object') : []
}
