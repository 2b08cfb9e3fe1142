import type { LeafRule } from '../../contract/prepared-stream.ts'

/** The declared shape of a value in the response: nullability, and custom scalars. */
export interface ValueShape {
  readonly nullable: boolean
  /** Form of the list items; `null`: the value is not a list. */
  readonly items: ValueShape | null
  /** Members of the object by response key; `null`: the value is not an object. */
  readonly members: ReadonlyMap<string, MemberShape> | null
  /** Validation rule of a scalar or enum; `null`: any JSON is valid. */
  readonly leaf: LeafRule | null
  readonly serialize: ((value: unknown) => unknown) | null
  /** Functions that mask a leaf, applied one after the other; `null`: the value is not masked. */
  readonly masks: readonly ((value: unknown) => unknown)[] | null
}

export interface MemberShape {
  /** Name of the field in messages: `Type.field`. */
  readonly place: string
  readonly shape: ValueShape
  readonly locations: readonly { readonly line: number; readonly column: number }[] | undefined
}
