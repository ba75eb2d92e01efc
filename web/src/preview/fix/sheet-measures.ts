/** Sizes of the sheet in CSS pixels, as fix-rows.module.css draws them. */
export const ROW_HEIGHT = 34;
export const COLUMN_WIDTH = 190;
export const NUMBER_WIDTH = 230;
