import { isJson, isPlainObject } from './options.ts'
import { placeAbove } from './place.ts'
import { currentRegistry, reportFault } from './registry.ts'

/** Sets keys of plugins at the top level of `schema.json`, in its spelling: `schemaKeys({ tenants: { … } })`. */
export function schemaKeys(keys: Readonly<Record<string, unknown>>): void {
  const place = placeAbove(schemaKeys)
  if (!isPlainObject(keys) || !isJson(keys)) {
    reportFault(place, 'schemaKeys() wants an object that JSON can say')
    return
  }
  const { topLevel } = currentRegistry()
  for (const [key, value] of Object.entries(keys)) {
    if (topLevel.has(key)) reportFault(place, `schemaKeys() gives "${key}" a second time`)
    topLevel.set(key, value)
  }
}
