import type { SourceLocation } from '../schema/authored.ts'
import { placeAbove } from './place.ts'
import { declare, reportFault } from './registry.ts'

/**
 * Declares a function of the schema author that a plugin runs in the server: `export const even = authorFunction('validator',
 * 'even', (value) => …)`. The author's module must export the function, because the server imports it from there when
 * it loads the schema.
 * @param kind kind of function, such as `validator`, which determines the plugin that runs it
 * @param name name of the function for the plugin
 * @returns `fn`, unchanged
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
 * Registers a function of the author's schema module, so that `schema.json` records from where the server imports it.
 * The module must export the function.
 * @param kind kind of function, such as `middleware`, which determines the plugin that runs it
 * @param name name for that plugin; `null`: the name of the export
 * @param place location of the declaration, for fault messages
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
