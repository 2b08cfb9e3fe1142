import type { LeafRule } from '../../contract/prepared-stream.ts'

/** The declared form of a value in a response, against which the JSON of the database is checked. */
export interface ValueShape {
  readonly nullable: boolean
  /** Form of the items; `null`: the value is not a list. */
  readonly items: ValueShape | null
  /** Form of the members by response key; `null`: the value is not an object. */
  readonly members: ReadonlyMap<string, MemberShape> | null
  /** Checks a scalar or enum value; `null`: any JSON is valid. */
  readonly leaf: LeafRule | null
  readonly serialize: ((value: unknown) => unknown) | null
  /** Functions that mask a scalar or enum value, applied one after the other; `null`: the value is not masked. */
  readonly masks: readonly ((value: unknown) => unknown)[] | null
}

export interface MemberShape {
  /** Name of the field in error messages: `Type.field`. */
  readonly place: string
  readonly shape: ValueShape
  readonly locations: readonly { readonly line: number; readonly column: number }[] | undefined
}
