import { compileCoercer, type ShapeField } from '../../../core/doors/front.ts'

const coerced = new WeakMap<ShapeField, { readonly value: unknown }>()

/** The default of an argument or input field as the engine takes it. Only for fields that have one. */
export function coerceDefault(field: ShapeField): unknown {
  let entry = coerced.get(field)
  if (entry === undefined) {
    entry = { value: compileCoercer(field.type, field.shape)(field.default) }
    coerced.set(field, entry)
  }
  return entry.value
}
