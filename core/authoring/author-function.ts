import type { SourceLocation } from '../schema/authored.ts'
import { placeAbove } from './place.ts'
import { declare, reportFault } from './registry.ts'

/**
 * Declares a function that a plugin runs: `export const even = authorFunction('validator', 'even', (value) => …)`. The function stays in
 * its module and must be exported there: the server imports it with the schema.
 * @param kind kind of function, which determines the plugin that runs it
 * @param name name of the function for the plugin
 * @returns the function itself
 */
export function authorFunction<F extends (...args: never[]) => unknown>(kind: string, name: string, fn: F): F {
  const place = placeAbove(authorFunction)
  if (typeof fn !== 'function') {
    reportFault(place, `${String(kind)} "${String(name)}" wants a function, got ${fn === null ? 'null' : typeof fn}`)
    return fn
  }
  declareFunction(kind, name, fn, place)
  return fn
}

/**
 * Declares a function of the author, which its module must export.
 * @param name `null`: use the name of its export
 * @param place a location in its module
 */
export function declareFunction(kind: string, name: string | null, fn: object, place: SourceLocation): void {
  declare({
    collection: 'author_functions',
    name: name ?? kind,
    place,
    functions: fn,
    // A function that is not exported has been reported as a fault, so that no schema is written.
    emit(scope) {
      const located = scope.locate(fn) ?? { module: '', export: '' }
      return { kind, name: name ?? located.export, ...located }
    },
  })
}
