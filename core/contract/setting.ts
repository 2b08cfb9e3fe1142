/** A transaction-local setting, `set_config(name, value, true)`. Name and value are bound as parameters. A list is applied in order. */
export interface Setting {
  readonly name: string
  readonly value: string
}
