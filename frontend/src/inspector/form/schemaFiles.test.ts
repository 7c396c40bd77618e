import { expect, it } from "vitest";
import { joinFiles } from "./schemaFiles";

const money = { name: "money.proto", text: "message Money {}" };
const order = { name: "order.proto", text: 'import "shop/money.proto";\nimport public "tax.proto";\nmessage Order {}' };
const tax = { name: "tax.proto", text: "message Tax {}" };

it("keeps one file as it is", () => {
  expect(joinFiles([{ name: "order.avsc", text: '"string"' }])).toBe('"string"');
  expect(joinFiles([])).toBe("");
});

it("puts the file that no other imports first, and names each other as it is imported", () => {
  expect(joinFiles([money, order, tax])).toBe(
    `${order.text}\n\n// file: shop/money.proto\n${money.text}\n\n// file: tax.proto\n${tax.text}\n`,
  );
});
