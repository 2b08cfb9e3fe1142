import type { LeafRule } from './leaf-rule.ts'

/** What a value of the response has to be: where null may stand, and which leaves a custom scalar writes. */
export interface ValueShape {
  readonly nullable: boolean
  /** Shape of the items; `null` = not a list. */
  readonly items: ValueShape | null
  /** Members by response key; `null` = a leaf. */
  readonly members: ReadonlyMap<string, MemberShape> | null
  /** What a leaf may be; `null` = anything. */
  readonly leaf: LeafRule | null
  readonly serialize: ((value: unknown) => unknown) | null
  /** Functions that make the shown value of a leaf's, one after the other; `null`: the value is shown. */
  readonly masks: readonly ((value: unknown) => unknown)[] | null
}

export interface MemberShape {
  /** `Type.field`, for messages. */
  readonly place: string
  readonly shape: ValueShape
  readonly locations: readonly { readonly line: number; readonly column: number }[] | undefined
}
