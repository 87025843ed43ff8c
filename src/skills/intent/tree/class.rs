//! Objects that a script makes with `class`, `new` and `this`. A class and its instances are one object here: who
//! writes `this.web.search()` meant the same skill, whichever of them holds it.

use oxc_ast::ast::*;
use oxc_ast_visit::walk;

use super::{Reader, Values};

impl<'a> Reader<'_> {
    /// What `this` (or `super`) stands for. A plain function keeps the one around it, since that is what its author meant.
    pub(super) fn this(&self) -> Values {
        self.selves.last().cloned().into_iter().collect()
    }

    /// What `new` gives: what its class holds, or an object of its own.
    pub(super) fn instance(&self, it: &NewExpression<'a>) -> Values {
        let classes: Values = self.value(&it.callee).into_iter().filter(|v| v.starts_with('#')).collect();
        if classes.is_empty() { vec![self.made(it.span.start)] } else { classes }
    }

    pub(super) fn class(&mut self, it: &Class<'a>) {
        let class = self.made(it.span.start);
        if let Some(symbol) = it.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.learn(&format!("{}/{symbol:?}", self.script), std::slice::from_ref(&class));
        }
        if let Some(heritage) = &it.heritage {
            let bases = self.value(&heritage.expression);
            let above: Values = bases.iter().flat_map(|base| self.known(&format!("{base}..."))).collect();
            self.learn(&format!("{class}..."), &bases);
            self.learn(&format!("{class}..."), &above);
        }
        self.selves.push(class.clone());
        for element in &it.body.body {
            match element {
                ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Constructor => {
                    self.constructor(&class, &method.value);
                }
                ClassElement::MethodDefinition(method) => {
                    let function = self.made(method.value.span.start);
                    let values = match method.kind {
                        MethodDefinitionKind::Get => self.known(&format!("{function}()")),
                        _ => vec![function],
                    };
                    self.property(&class, &method.key, &values);
                }
                ClassElement::PropertyDefinition(property) => {
                    let values = property.value.as_ref().map(|value| self.value(value)).unwrap_or_default();
                    self.property(&class, &property.key, &values);
                }
                ClassElement::StaticBlock(_)
                | ClassElement::AccessorProperty(_)
                | ClassElement::TSIndexSignature(_) => {}
            }
        }
        walk::walk_class(self, it);
        self.selves.pop();
    }

    /// What `new` is given reaches the constructor's parameters, and those that are fields as well.
    fn constructor(&mut self, class: &str, it: &Function<'a>) {
        let function = self.made(it.span.start);
        for (number, parameter) in it.params.items.iter().enumerate() {
            let values = self.known(&format!("{class}@{number}"));
            self.learn(&format!("{function}@{number}"), &values);
            if let (Some(_), BindingPattern::BindingIdentifier(id)) = (parameter.accessibility, &parameter.pattern) {
                self.learn(&format!("{class}.{}", id.name), &values);
            }
        }
    }

    /// One property of an object literal.
    pub(super) fn literal(&mut self, object: &str, it: &ObjectProperty<'a>) {
        let values = match it.kind {
            PropertyKind::Get => {
                let getter: Values = self.value(&it.value);
                getter.iter().flat_map(|function| self.known(&format!("{function}()"))).collect()
            }
            PropertyKind::Init | PropertyKind::Set => self.value(&it.value),
        };
        self.property(object, &it.key, &values);
        let has_this = matches!(it.value, Expression::FunctionExpression(_));
        if has_this {
            self.selves.push(object.to_owned());
        }
        walk::walk_object_property(self, it);
        if has_this {
            self.selves.pop();
        }
    }

    fn property(&mut self, object: &str, key: &PropertyKey<'a>, values: &[String]) {
        for key in self.keys(key) {
            self.learn(&format!("{object}.{key}"), values);
        }
    }

    /// `new Map([['web', tavily]])`: its entries are members of it.
    pub(super) fn entries(&mut self, it: &NewExpression<'a>) {
        let is_map = matches!(&it.callee, Expression::Identifier(id) if id.name == "Map");
        let Some(given) = it.arguments.first().and_then(Argument::as_expression).filter(|_| is_map) else { return };
        let map = self.made(it.span.start);
        let given = self.value(given);
        for entry in self.elements(&given) {
            let values = self.known(&format!("{entry}.1"));
            self.put(&map, &self.known(&format!("{entry}.0")), &values);
        }
    }

    /// What a map, or an object under a key that is known only as a value, gets.
    pub(super) fn put(&mut self, object: &str, keys: &[String], values: &[String]) {
        self.learn(&format!("{object}[]"), values);
        for key in keys.iter().filter_map(|key| key.strip_prefix('\'')) {
            self.learn(&format!("{object}.{key}"), values);
        }
    }
}
