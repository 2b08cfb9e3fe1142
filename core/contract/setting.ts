/** One `set_config(name, value, true)`, in the order of their list. Name and value are bound, never part of the SQL. */
export interface Setting {
  readonly name: string
  readonly value: string
}
