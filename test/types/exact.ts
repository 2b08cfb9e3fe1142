type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * `exact<Wanted>()(value)` compiles only if the type of the value is the wanted one: a wider type, a narrower type and
 * `any` do not compile. It is never run.
 */
export declare function exact<Wanted>(): <Found>(
  value: Found,
  ...mismatch: Same<Found, Wanted> extends true ? [] : [wanted: Wanted]
) => void
