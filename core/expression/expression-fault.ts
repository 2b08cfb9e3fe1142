/** An expression that is not one, or that names what there is not. Found when it is compiled. */
export class ExpressionFault extends Error {
  /** 1-based, in characters of the expression. */
  readonly column: number

  constructor(message: string, column: number) {
    super(`column ${column}: ${message}`)
    this.name = 'ExpressionFault'
    this.column = column
  }
}

/** The error of an expression that cannot be evaluated for its values. An access check has to deny then. */
export class ExpressionFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionFailure'
  }
}
